/* temporal: never=holds fair:never=holds */
/* An else of a claim is executable only if nothing beside it is, wherever it stands. */
byte x;
active proctype P() { do :: x = 1 - x od }
never {
T0: if
    :: x <= 1 -> goto T0
    :: else -> goto accept_bad
    fi;
accept_bad: do :: true od
}
