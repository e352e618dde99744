/* psw: holds states=669 transitions=947 */
/* The receiver of the rendezvous is atomic too, and creates a process before control comes back. */
chan c = [0] of { byte };
byte n;
proctype W(byte id) { n = n * 2 + id }
proctype A() { byte x; atomic { c?x; run W(x); n++ } }
init { atomic { run A(); c!5; run W(1); run A(); c!6; run W(0) } }
