/* psw: holds states=28 transitions=44 */
/* The values of a message are taken when it is sent. */
chan c = [2] of { byte };
byte x = 1;
active proctype A() { c!x + 1; x = 5; c!x * 2; byte v; c?v; assert(v == 2); c?v; assert(v == 10) }
active proctype B() { skip }
