/* A step that leads nowhere must not stand for those of a process that goes on for ever. */
bool x;
active proctype P() { int y; y = 1 / y }
active proctype Q() { do :: x = 1 :: x = 0 od }
ltl { [] !x }
