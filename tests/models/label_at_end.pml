/* psw: holds states=8 transitions=8 */
/* A label before the closing brace. */
byte x;
active proctype A() { if :: x = 1; goto done1 :: x = 2 fi; x = 3; done1: }
