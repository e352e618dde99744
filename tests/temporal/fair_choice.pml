/* temporal: spin=differs got=violated fair:got=violated fair[strong]:got=violated fair[weak,channel/c]:got=violated fair[weak,choice/Network]:got=holds fair[weak,choice/Receiver]:got=violated fair[choice/Network]:got=violated */
/* SPIN refuses the loop around a lost message. A channel that loses messages is a process that decides for each whether it is handed on. */
chan c = [0] of { bit };
bool received;

active proctype Network() {
  do
  :: if
     :: skip -> c!1
     :: skip                           /* lost */
     fi
  od
}

active proctype Receiver() { do :: atomic { c?1 -> received = true }; received = false od }

active proctype Busy() { bool x; do :: x = !x od }

ltl got { []<>received }
