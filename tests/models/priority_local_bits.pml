/* psw: holds states=8 transitions=9 spin=differs */
/* Locals of a few bits beside a priority: SPIN leaves the last of them out of its states. */
active proctype P() priority 3 { unsigned l : 3; do :: l++ od }
