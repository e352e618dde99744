/* psw: violated=invalid_end_state states=103 transitions=179 errors=2 */
/* A remote reference without a number means the first process of its proctype, not the first process. */
byte n;
active proctype A() { n = 1; n = 2; n = 3 }
active proctype B() { n = 4; n = 5; n = 6; n = 7; L: n = 8 }
active proctype C() { B@L; n = 9 }
