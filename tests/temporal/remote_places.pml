/* temporal: excluded=holds reached=holds counted=holds fair:excluded=holds fair:reached=holds */
/* Atoms may speak of labels and of locals of a process. */
byte turn
active [2] proctype P() {
    byte rounds;
    (turn == _pid);
critical:
    rounds++;
    turn = 1 - turn
}
ltl excluded { [] !(P[0]@critical && P[1]@critical) }
ltl reached { <> P[1]@critical }
ltl counted { [] (P[0]:rounds <= 1) }
