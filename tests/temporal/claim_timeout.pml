/* temporal: never=violated fair:never=violated */
/* A claim can see that the system waits for a timeout. */
byte x
active proctype P() { x = 1; timeout -> x = 2 }
never {
    do
    :: !timeout
    :: timeout -> break
    od
}
