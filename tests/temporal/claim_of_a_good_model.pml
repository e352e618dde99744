/* temporal: never=holds fair:never=holds */
/* The same claim over a model in which x is never 2. */
byte x
active proctype P() { do :: x == 0 -> x = 3 :: x == 3 -> x = 0 od }
never {
    do
    :: atomic { (x == 2) -> assert(!(x == 2)) }
    :: (1)
    od
}
