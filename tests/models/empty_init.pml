/* psw: holds states=3 transitions=3 */
/* An init without effect. */
init { skip }
