/* temporal: never=violated fair:never=violated */
/* A claim that comes to its closing brace has found what must never be. */
byte x
active proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od }
never {
    do
    :: true
    :: x == 3 -> break
    od
}
