/* psw: holds states=6 transitions=6 */
/* The end of a comment that has no beginning is nothing: /* not nested */ */
#define A 1 */
byte x */, y;
active proctype P() */ {
  x = A + */ 1; */
  y = x
  */
  if */ :: y == 2 */ -> x = y*/**/y :: else */ fi */
}
*/
