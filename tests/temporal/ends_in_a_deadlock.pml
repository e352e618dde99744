/* temporal: settles=holds never_done=violated fair:settles=holds fair:never_done=violated */
/* A run that is stuck stays where it is forever. */
byte x
bool done
active proctype P() { x = 1; (x == 2); done = true }
ltl settles { <> [] (x == 1) }
ltl never_done { <> done }
