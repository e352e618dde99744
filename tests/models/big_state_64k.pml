/* psw: holds states=13 transitions=19 */
/* A state of 64 kilobytes. */
int a[16000];
active [2] proctype A() { a[_pid] = 1; a[15999 - _pid] = 2 }
