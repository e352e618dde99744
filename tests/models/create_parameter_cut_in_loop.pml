/* psw: holds states=123 transitions=327 */
/* The ids wrap in the parameter: a byte starts again from 0. */
byte a[3];
proctype A(byte id) { a[id % 3]++; assert(id < 2 || id > 253) }
init { short i; atomic { for (i : 254 .. 257) { run A(i) } } }
