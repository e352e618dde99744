/* temporal: guarded=holds fair:guarded=holds asked=violated fair:asked=violated late=violated fair:late=violated */
/* What a formula does not ask for need not have a value: as in C, from left to right. */
byte i, a[2];
active proctype P() { do :: i < 4 -> i++ :: else -> i = 0 od }
ltl guarded { [] (i < 2 -> a[i] == 0) }
ltl asked { [] (a[i] == 0 || i >= 2) }
ltl late { [] (i < 3 && a[i] == 1 || i >= 0) }
