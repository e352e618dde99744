/* psw: holds states=113 transitions=277 */
/* A process that creates another of its kind. */
byte n;
proctype P(byte k) { if :: k > 0 -> run P(k - 1) :: else fi; n++ }
init { run P(4); (_nr_pr == 1); assert(n == 5) }
