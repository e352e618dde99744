/* psw: holds states=26 transitions=48 */
/* Two atomic sequences block in the middle and compete to go on. */
byte x, go;
active [2] proctype A() { atomic { x++; go > 0; x = x + 10; x = x + 20 } }
active proctype B() { go = 1 }
