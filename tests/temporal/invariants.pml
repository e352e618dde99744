/* temporal: at_first=violated at_last=violated passed=holds blocked=violated joined=violated nowhere=holds always_so=holds one_of=violated implied=holds */
/* Invariants, written in every way, violated in the first state, in the last and where a sequence blocks; not where nobody looks. */
byte x = 1, y; bit inside, held
chan c = [0] of { bit }
active proctype P() { x = 2; atomic { inside = 1; y = 3; inside = 0 }; x = 5 }
active proctype Q() { atomic { held = 1; end: c!1 } }
ltl at_first { [] (x != 1) }
ltl at_last { [] (x != 5) }
ltl passed { [] (inside == 0) }
ltl blocked { always (held == 0) }
ltl joined { [] (x != 5) && [] (y < 9) }
ltl nowhere { !<> (y > 3) }
ltl always_so { ! (true U (x == 5 && y != 3)) }
ltl one_of { [] (x < 5) || [] (y == 0) }
ltl implied { [] ((x == 5) -> (y == 3)) }
