/* psw: holds states=11 transitions=12 */
/* Two processes wait for timeout: one of them goes, then the system is alive again. */
byte x;
active [2] proctype A() { timeout; x++ }
