/* psw: violated=assertion states=255 transitions=533 errors=29 */
/* Locations and variables of a process that has not been created yet, or is dead. */
byte g;
proctype W() { byte loc; loc = 1; L: loc = 2; g++ }
active proctype A() { byte p; p = run W(); if :: W[p]@L -> g = 5 :: else -> g = 6 fi; do :: W[p]:loc == 2 -> break :: else -> break od; assert(g != 6) }
active proctype B() { byte l; l++; l++; assert(!(W[2]@L && g == 5)) }
