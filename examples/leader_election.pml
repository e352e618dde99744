/* Electing a leader in a ring: each node sends its number on, and lets pass only numbers larger than its own. The number
 * that comes home is the largest, and its node the leader. Shows `run` with arguments, and channels as parameters.
 *
 * psw check --no-reduction examples/leader_election.pml
 *   holds (518 states, 1325 transitions)
 */
#ifndef N
#define N 4
#endif

mtype = { candidate, elected };

chan link[N] = [N] of { mtype, byte };
byte leaders;

proctype Node(chan in, out; byte mine) {
  byte number;
  out!candidate(mine);
  do
  :: in?candidate(number) ->
    if
    :: number > mine -> out!candidate(number)
    :: number == mine ->
      leaders++;
      assert(leaders == 1 && mine == N);
      out!elected(mine)
    :: else                          /* number < mine: goes no further */
    fi
  :: in?elected(number) ->
    assert(number == N);
    if
    :: number != mine -> out!elected(number)
    :: else
    fi;
    break
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run Node(link[i], link[(i + 1) % N], N - (i + 1) % N)
    }
  }
}
