/* psw: holds states=39 transitions=77 */
/* Processes are created in a loop while earlier ones die. */
byte n;
proctype P() { n-- }
init { do :: n < 2 && _nr_pr < 4 -> n++; run P() :: n > 0 -> break od }
