/* temporal: both=violated fair:both=holds first=violated fair:first=holds */
/* Two processes that take turns if they must. */
bool a, b
active proctype A() { do :: a = !a od }
active proctype B() { do :: b = !b od }
ltl both { [] <> a && [] <> b }
ltl first { <> a }
