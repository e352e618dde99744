/* Stop-and-wait over channels that lose messages, with sequence numbers that never start again: each round is like the
 * one before, only with greater numbers. A plain search goes on until the numbers wrap round, after 2^32 rounds; psw
 * finishes when it is told that only the differences between the numbers matter. (It looks whether that is true.)
 *
 * psw check --max-states 100000 examples/endless_numbers.pml
 *   STOPPED, no verdict: the limit of states was reached
 * psw check --ignore 'next, expected, data, acks' --canonical 'expected - next, data?[eval(next)], acks?[eval(next)]' --cutoff 'expected == next' examples/endless_numbers.pml
 *   holds
 */
int next;                       /* the sender sends this */
int expected;                   /* the receiver waits for this */
chan data = [1] of { int };
chan acks = [1] of { int };

active proctype Sender() {
end:
  do
  :: data!next                                  /* send, and send again */
  :: acks?eval(next) -> next++
  od
}

active proctype Receiver() {
end:
  do
  :: data?eval(expected) ->
    expected++;
    assert(expected == next + 1);               /* nothing is lost, repeated or overtaken */
    acks!expected - 1
  :: data?eval(expected - 1) -> acks!expected - 1   /* an old one: its acknowledgement was lost */
  od
}

active proctype Noise() {
end:
  do
  :: data?_
  :: acks?_
  od
}
