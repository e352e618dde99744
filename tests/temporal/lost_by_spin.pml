/* temporal: settles=violated fair:settles=violated spin=differs */
/* SPIN loses fair runs that end. */
byte last
active proctype A() { last = 1 }
active proctype B() { last = 2 }
ltl settles { <> [] (last == 1) }
