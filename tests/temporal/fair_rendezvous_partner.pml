/* temporal: got=violated fair:got=violated fair[strong]:got=holds fair[strong:A]:got=holds fair[strong:B]:got=violated fair[channel/a]:got=holds fair[channel/b]:got=violated */
/* Who waits to receive in a rendezvous can move when somebody else could send to it; weak fairness does not see that. */
chan a = [0] of { bit };
chan b = [0] of { bit };
bool at_a;

active proctype Server() { do :: a!1 :: b!1 od }

active proctype A() { do :: atomic { a?1 -> at_a = true }; at_a = false od }

active proctype B() { do :: b?1 od }

ltl got { []<>at_a }
