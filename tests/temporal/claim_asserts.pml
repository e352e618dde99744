/* temporal: never=violated fair:never=violated */
/* What SPIN makes of a safety formula: an atomic sequence of a claim is one move, and looks at one state. */
byte x
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never {
    do
    :: atomic { (x == 2) -> assert(!(x == 2)) }
    :: (1)
    od
}
