/* psw: holds states=3 transitions=6 spin=differs */
/* A loop of skip alone is a legal run; SPIN refuses the model. */
bool x;
active proctype Env() { do :: skip od }
active proctype P() { x = true }
