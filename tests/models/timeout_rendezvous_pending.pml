/* psw: holds states=4 transitions=4 */
/* timeout, with a sender that nobody hears. */
chan c = [0] of { byte };
byte x;
active proctype S() { end: c!1 }
active proctype A() { timeout; x = 1 }
