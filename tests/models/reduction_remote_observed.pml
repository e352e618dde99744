/* psw: holds states=20 transitions=41 */
/* Formulas about a location and a local variable. */
byte g;
active proctype A() { byte l; do :: l = 1; L: l = 2; g = l :: break od; D: l = 3 }
active proctype B() { byte k; do :: k = 1 - k od }
ltl { [] <> A@L }
ltl q { <> A@D && [] (A:l != 7) }
