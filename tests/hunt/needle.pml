/* A violation 100,000 steps deep in a model of more than 10^9 states, which no search of all of them meets soon: the dials can
 * turn 10,000 ways between any two ticks of the clock, and only one of them is wrong, at the very end.
 *
 * psw hunt tests/hunt/needle.pml
 */
#define END 100000

int ticks;
byte dial[4];

active [4] proctype Dial() {
  do
  :: dial[_pid] = (dial[_pid] + 1) % 10
  od
}

active proctype Clock() {
  do
  :: ticks < END -> ticks++
  :: ticks == END -> break
  od
}

active proctype Judge() {
  d_step {
    ticks == END && dial[0] == 7 && dial[1] == 1 && dial[2] == 8 && dial[3] == 2;
    assert(false)
  }
}
