/* temporal: labels=violated fair:labels=holds */
/* A cycle through an accept label; it starves the other process. */
byte x
bool stop
active proctype Loop() {
accept:
    do
    :: !stop -> x = 1 - x
    :: stop -> break
    od
}
active proctype Stopper() { stop = true }
