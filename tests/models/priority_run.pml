/* psw: holds states=7 transitions=7 */
/* A priority given to run overrides that of the declaration. */
byte x;
proctype P() priority 3 { x = x * 2 + _priority }
init { atomic { run P(); run P() priority 7 } }
