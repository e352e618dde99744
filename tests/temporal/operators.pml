/* temporal: until=holds weak=holds release=violated equal=holds fair:until=holds fair:release=violated */
/* Every binary operator, on a model of one run. */
byte x
active proctype P() { x = 1; x = 2; x = 3 }
ltl until { (x < 2) U (x == 2) }
ltl weak { (x < 9) W (x == 9) }
ltl release { (x == 3) V (x < 3) }
ltl equal { (<> (x == 3)) <-> (<> [] (x == 3)) }
