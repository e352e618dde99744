/* psw: holds states=15 transitions=19 */
/* timeout in a choice with other options. */
byte x;
chan c = [1] of { byte };
active proctype A() { do :: c?_ -> x++ :: timeout -> if :: x == 2 -> break :: x != 2 -> skip fi od }
active proctype B() { c!1; c!1 }
