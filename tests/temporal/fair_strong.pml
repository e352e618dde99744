/* temporal: first=violated fair:first=violated fair[strong]:first=holds fair[strong:Customer[0]]:first=holds fair[strong:1]:first=violated fair[strong:Customer]:first=holds fair[0]:first=violated fair[strong]:both=violated */
/* Who wants a lock that others take and give back again and again can take it again and again, and not always. */
bool taken;

active [2] proctype Customer() {
  do
  :: atomic { !taken -> taken = true };
inside:
     taken = false
  od
}

ltl first { []<> Customer[0]@inside }
ltl both { []<> (Customer[0]@inside && Customer[1]@inside) }
