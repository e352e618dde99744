/* psw: holds states=5 transitions=5 */
/* A variable that is bound by an earlier field is seen by a later index. */
chan c = [1] of { byte, byte };
byte a[3];
active proctype S() { byte i; c!2,9; c?i,a[i]; assert(a[2] == 9 && a[0] == 0) }
