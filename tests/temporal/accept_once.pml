/* temporal: labels=holds fair:labels=holds */
/* An accept label that every run passes once, and no cycle. */
byte x
active proctype P() { accept: x = 1; do :: x = 1 - x od }
