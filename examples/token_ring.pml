/* A token circulates in a ring of rendezvous channels; the process that holds it may work. The assertion says that at most one works.
 * The `end` label says that waiting for the token forever is no error, in case the token is put away.
 *
 * psw check --no-reduction examples/token_ring.pml
 *   holds (149 states, 279 transitions)
 */
#define N 4

chan ring[N] = [0] of { byte };      /* the message counts the rounds */
byte working;

active [N] proctype Station() {
  byte round;
  if
  :: _pid == 0 -> goto holding
  :: else
  fi;
end_waiting:
  ring[_pid]?round;
holding:
  if
  :: working++;
    assert(working == 1);
    working--
  :: skip                            /* nothing to do */
  fi;
  if
  :: _pid == N - 1 -> round++
  :: else
  fi;
  if
  :: round < 3 -> ring[(_pid + 1) % N]!round; goto end_waiting
  :: else                            /* the token is put away */
  fi;
end_done:
  ring[_pid]?round
}
