/* psw: holds states=175 transitions=442 */
/* A `for` loop creates three processes: one that ends early leaves its pid to a later one. */
byte n;
proctype A() { n++; n-- }
init { byte i; for (i : 1 .. 3) { run A() } }
