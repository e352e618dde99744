proctype P() { }
byte x y;
inline f(a) { a = = 1 }
init { f(x); x = 'ab'; "open
# 3 "elsewhere.pml"
/* never closed
