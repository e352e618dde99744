/* temporal: non-progress=holds fair:non-progress=holds */
/* Every cycle passes a progress label, and a run that ends makes no cycle. */
byte x
active proctype Worker() {
progress:
    do
    :: x < 3 -> x++
    :: x == 3 -> x = 0
    :: x == 1 -> break
    od
}
