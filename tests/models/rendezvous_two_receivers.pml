/* psw: holds states=22 transitions=29 */
/* Each receiver that waits is a partner. */
chan c = [0] of { byte };
byte sum;
active proctype S() { c!1; c!2 }
active [2] proctype R() { byte v; c?v; sum = sum + v * _pid }
