/* temporal: non-progress=violated fair:non-progress=holds */
/* A cycle without a progress label, unless the other process has its turn. */
byte x
active proctype Worker() { do :: x = 1; progress: x = 0 od }
active proctype Idler() { byte y; do :: y = 1 - y od }
