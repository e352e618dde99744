/* Rendezvous: sender and receiver meet, and each message moves in one step of both.
 * The receiver checks that numbers arrive one by one, without a gap, and answers each of them.
 *
 * psw check --no-reduction examples/handshake.pml
 *   holds (32 states, 32 transitions)
 */
#define LAST 5

mtype = { ack };

chan data = [0] of { byte };
chan reply = [0] of { mtype };

active proctype Sender() {
  byte n = 1;
  do
  :: n <= LAST ->
    data!n;
    reply?ack;
    n++
  :: else -> break
  od
}

active proctype Receiver() {
  byte expected = 1, got;
end_listening:
  do
  :: data?got ->
    assert(got == expected);
    expected++;
    reply!ack
  od
}
