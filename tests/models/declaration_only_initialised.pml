/* psw: holds states=4 transitions=4 */
/* Initial values take no step before the first statement, also when no statement follows. */
byte g;
active proctype A() { byte x = 3; byte y = 4 }
active proctype B() { g = 1 }
