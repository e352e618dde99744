/* psw: holds states=5 transitions=5 */
/* Arithmetic is done on ints and cut only when stored. */
byte x = 200, y = 100;
active proctype A() { assert(x + y == 300); x = (x + y) / 2; assert(x == 150) }
