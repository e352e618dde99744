/* temporal: got=violated fair[strong]:got=violated fair[channel/c]:got=holds fair[channel/d]:got=violated */
/* The statements inside a d_step are one statement; it sends, and forwards what it has received. */
chan c = [2] of { bit };
chan d = [2] of { bit };
bool got;

active proctype A() {
  bit x;
  do
  :: d_step { c!1; c?x; got = true }; got = false
  :: d!0; d?x
  :: d_step { d!1; d?x }
  od
}

ltl got { []<>got }
