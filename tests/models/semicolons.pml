/* psw: holds states=7 transitions=7 */
/* Semicolons and arrows separate statements, and may be doubled. */
byte x;
active proctype A() { x = 1;; x = 2 -> x = 3; if :: x == 3 -> ; x = 4; :: else -> skip; fi; }
