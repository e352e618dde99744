/* A deadlock: N philosophers, a fork between any two, everybody takes the left one first.
 * When each holds one fork nobody can move: an invalid end state. Breadth-first search gives a shortest way there.
 *
 * psw check --no-reduction examples/philosophers.pml            (-D N=6 for a larger table)
 *   VIOLATED: deadlock: no process can move, and not all are at a valid end state
 *   after 4 steps (in all, with --all-errors: 118 states, 341 transitions, 1 violation)
 */
#ifndef N
#define N 4
#endif

bool taken[N];

active [N] proctype Philosopher() {
  byte left = _pid, right = (_pid + 1) % N;
  do
  :: atomic { !taken[left] -> taken[left] = true };
    atomic { !taken[right] -> taken[right] = true };
    /* eats */
    taken[right] = false;
    taken[left] = false
  od
}
