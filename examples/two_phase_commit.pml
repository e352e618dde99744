/* Two-phase commit: a transaction happens everywhere or nowhere. Everybody votes; only if all say yes the coordinator
 * decides to commit. Shows arrays of channels, `for`, a free choice of the environment
 * (how to vote), and an assertion about several processes at once.
 *
 * psw check examples/two_phase_commit.pml
 *   holds (131058 states, 448478 transitions)
 */
#define N 3

mtype = { yes, no, commit, abort, undecided };

chan votes = [N] of { mtype };
chan decision[N] = [1] of { mtype };
mtype outcome[N] = undecided;

active proctype Coordinator() {
  byte i;
  mtype vote, decided = commit;
  for (i : 1 .. N) {
    votes?vote;
    if
    :: vote == no -> decided = abort
    :: else
    fi
  }
  for (i : 0 .. N - 1) {
    decision[i]!decided
  }
}

proctype Participant(byte me) {
  byte other;
  mtype vote;
  if
  :: vote = yes
  :: vote = no
  fi;
  votes!vote;
  decision[me]?outcome[me];
  assert(vote == yes || outcome[me] == abort);
  for (other : 0 .. N - 1) {
    assert(outcome[other] == undecided || outcome[other] == outcome[me])
  }
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run Participant(i)
    }
  }
}
