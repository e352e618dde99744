/* temporal: ends=holds fair:ends=holds busy=violated fair:busy=violated */
/* States differ in length: processes are created and die. */
byte alive
proctype Child(byte depth) {
    alive++;
    if
    :: depth > 0 -> run Child(depth - 1)
    :: depth == 0 -> skip
    fi;
    alive--
}
init { run Child(2) }
ltl ends { <> [] (alive == 0) }
ltl busy { [] (alive < 2) }
