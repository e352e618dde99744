/* temporal: never=holds fair:never=holds */
/* Where a claim cannot move, the run is followed no further: x is never 2 as far as the claim goes. */
byte x
active proctype P() { do :: x < 5 -> x++ od }
never {
    do
    :: x < 2
    :: x == 4 -> break
    od
}
