/* temporal: small=holds labels=violated fair:small=holds spin=differs */
/* An accept label of a process is a property of its own; SPIN takes it for a violation of the formula. */
byte x
active proctype P() {
accept:
    do
    :: x = 1 - x
    od
}
ltl small { [] (x < 2) }
