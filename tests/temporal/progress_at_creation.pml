/* temporal: non-progress=violated */
/* A process that is created where it makes progress, and one that goes round before that. */
byte g;
proctype R() {
progress: (false)
}
active proctype P() { run R() }
active proctype Q() { do :: g = 1 :: g = 0 od }
