/* The deadlock of philosophers.pml repaired: forks have numbers, and everybody takes the smaller one first.
 *
 * psw check --no-reduction examples/philosophers_ordered.pml
 *   holds (516 states, 1779 transitions)
 */
#ifndef N
#define N 4
#endif

bool taken[N];

active [N] proctype Philosopher() {
  byte first = _pid, second = _pid + 1;
  if
  :: second == N -> first = 0; second = N - 1
  :: else
  fi;
  do
  :: atomic { !taken[first] -> taken[first] = true };
    atomic { !taken[second] -> taken[second] = true };
    /* eats */
    taken[second] = false;
    taken[first] = false
  od
}
