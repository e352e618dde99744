/* psw: holds states=25 transitions=32 */
/* A d_step that holds another can be jumped to, which SPIN refuses for others. */
byte x, y;
bool c;
inline set(v) { d_step { y = v; v = 0 } }
inline work() {
  atomic { if :: c -> goto done :: else fi };
  x = 3;
done: d_step { x = 2; set(x); x = 4 }
}
active proctype Q() { c = 1 - c }
active proctype P() { work(); do :: c -> break :: else -> c = 1 od; d_step { d_step { x = 3 }; y = x } }
