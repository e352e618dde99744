/* psw: holds states=67 transitions=81 */
/* A created process changes its priority: the constant of the `run` is only where it begins. */
byte n;
proctype A(byte id) { n = n * 2 + id; set_priority(_pid, 1); n = n * 2 + id }
init { atomic { run A(1) priority 2; run A(2) priority 3 }; n++ }
