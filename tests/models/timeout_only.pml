/* psw: holds states=9 transitions=10 */
/* timeout is executable exactly when nothing else is. */
chan c = [1] of { byte };
byte x;
active proctype A() { do :: c?x :: timeout -> break od }
active proctype B() { c!1; c!2 }
