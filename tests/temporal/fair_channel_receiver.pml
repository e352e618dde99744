/* temporal: got=violated fair:got=violated fair[strong]:got=violated fair[weak,channel/cs]:got=holds fair[weak,channel/cs[0]]:got=violated fair[weak,channel/cs[1]]:got=holds fair[weak,choice/Receiver]:got=holds */
/* A channel that loses messages is a receiver who drops some; it is one of two, handed over as a parameter. */
chan cs[2] = [0] of { bit };
bool received;

proctype Receiver(chan c) {
  do
  :: atomic { c?1 -> received = true }; received = false
  :: c?1                               /* lost */
  od
}

init {
  run Receiver(cs[1]);
  do
  :: cs[1]!1
  od
}

ltl got { []<>received }
