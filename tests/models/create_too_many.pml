/* psw: violated=too_many_processes */
/* There can be no more than 255 processes: the next `run` is an error. */
byte n;
proctype A() { (n == 1) }
init { short i; atomic { for (i : 1 .. 260) { run A() } } }
