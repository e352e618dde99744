/* Channels in messages: a client sends its own channel along with the question, and the server answers there.
 * Clients are created at run time, each with a local channel, so that no answer can go astray.
 *
 * psw check --no-reduction examples/call_back.pml
 *   holds (2758 states, 7735 transitions)
 */
#ifndef CLIENTS
#define CLIENTS 3
#endif

chan server = [1] of { byte, chan };
byte served;

proctype Client(byte question) {
  chan mine = [1] of { byte };
  byte answer;
  server!question,mine;
  mine?answer;
  assert(answer == question * 2);
  served++
}

active proctype Server() {
  chan caller;
  byte question;
end_idle:
  do
  :: server?question,caller -> caller!question * 2
  od
}

init {
  byte i;
  for (i : 1 .. CLIENTS) {
    run Client(i)
  }
  served == CLIENTS;
  assert(empty(server))
}
