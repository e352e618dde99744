/* Stop and wait with a timer: `timeout` is true only when nothing else in the whole model can move, that is, when the
 * message or its answer was lost. After TRIES attempts the sender gives up. What may go wrong is in the last assertion:
 * the receiver can have the message although the sender gave up, but never the other way round.
 *
 * psw check --no-reduction examples/retransmit.pml
 *   holds (56 states, 62 transitions)
 */
#define TRIES 3

mtype = { message, answer };

chan there = [1] of { mtype };
chan back = [1] of { mtype };
bool received, confirmed;

active proctype Sender() {
  byte tries;
again:
  tries++;
  there!message;
  if
  :: back?answer -> confirmed = true
  :: timeout ->
    if
    :: tries < TRIES -> goto again
    :: else                          /* gives up */
    fi
  fi;
  assert(!confirmed || received)
}

active proctype Receiver() {
end_idle:
  do
  :: there?message ->
    received = true;
    back!answer
  :: there?message                   /* lost on the way */
  :: there?message ->
    received = true                  /* the answer is lost */
  od
}
