/* psw: violated=assertion states=169 transitions=345 errors=3 */
/* Processes die one after the other, while somebody waits for the last, and a process created late takes the pid of one
   that has died. */
byte done;
proctype W(byte n) { byte l; l = n; done++; l = 0 }
init { pid n = _nr_pr; run W(1); run W(2); run W(3); n == _nr_pr; assert(done == 3); run W(4); assert(done < 4) }
