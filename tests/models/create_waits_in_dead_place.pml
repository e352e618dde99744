/* psw: holds states=11 transitions=12 */
/* A process that has ended but not died yet is at its end location: it counts in `_nr_pr`. */
byte n;
proctype A() { n++ }
proctype B() { (n >= 2); assert(_nr_pr == 4) }
init { atomic { run A(); run A(); run B() } }
