/* The alternating bit protocol over two channels that may lose any message. One bit tells a new message from a repeated
 * one. Messages count modulo 4, and the receiver asserts that none is lost, repeated or overtaken.
 *
 * psw check --no-reduction examples/alternating_bit.pml
 *   holds (1310 states, 4348 transitions)
 */
#define MODULUS 4

chan data = [2] of { byte, bit };    /* number, bit */
chan acks = [2] of { bit };

active proctype Sender() {
  byte number;
  bit mine, seen;
  do
  :: data!number,mine                /* send, and send again */
  :: acks?seen ->
    if
    :: seen == mine ->
      mine = 1 - mine;
      number = (number + 1) % MODULUS
    :: else                          /* an old one */
    fi
  od
}

active proctype Receiver() {
  byte number, expected;
  bit wanted, seen;
  do
  :: data?number,seen ->
    if
    :: seen == wanted ->
      assert(number == expected);
      expected = (expected + 1) % MODULUS;
      wanted = 1 - wanted
    :: else
    fi;
    acks!seen
  od
}

active proctype Thief() {
  do
  :: data?_,_
  :: acks?_
  od
}
