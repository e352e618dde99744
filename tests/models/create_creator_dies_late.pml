/* psw: holds states=74 transitions=97 */
/* A creator that has ended cannot die before its children, so its pid is not free. */
byte n;
proctype Child(byte id) { (n == id); n++ }
proctype Parent() { run Child(1); run Child(0) }
init { run Parent(); (n == 2); run Child(2); run Child(3) }
