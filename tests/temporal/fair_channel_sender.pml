/* temporal: spin=differs got=violated fair:got=violated fair[strong]:got=violated fair[weak,channel/c]:got=holds fair[weak,choice/Sender]:got=holds fair[weak,channel/c:Receiver]:got=violated fair[weak,channel/c:Sender]:got=holds */
/* SPIN refuses the loop around a lost message. A channel that loses messages is a sender who sends or does not. */
chan c = [1] of { bit };
bool received;

active proctype Sender() {
  do
  :: c!1
  :: skip                              /* lost */
  od
}

active proctype Receiver() { do :: atomic { c?1 -> received = true }; received = false od }

ltl got { []<>received }
