/* psw: violated=array_index states=1 transitions=1 errors=1 */
/* The message is evaluated although nobody stands ready to receive it. */
chan c = [0] of { byte };
byte a[2], i = 5;
active proctype A() { end: c!a[i] }
