/* psw: holds states=192 transitions=641 */
/* Processes that go round for ever, and formulas about what one of them does. */
byte g; bool b;
active proctype A() { do :: g = 1 - g :: b = 1; break od; do :: b = 1 - b od }
active proctype B() { byte i; do :: i < 3 -> i++ :: else -> i = 0 od }
active proctype C() { byte i; do :: i = 1 - i; b = i od }
ltl { [] <> b }
ltl q { <> [] (g == 1) }
