/* Mutual exclusion done wrong: to look and to lock are two steps, and another process fits in between.
 * The trace shows both processes passing `!locked` before either of them locks.
 *
 * psw check --no-reduction examples/mutex_race.pml
 *   VIOLATED: assertion violated
 *   after 7 steps (in all, with --all-errors: 52 states, 97 transitions, 4 violations)
 */
bool locked;
byte inside;

active [2] proctype Worker() {
  do
  :: !locked ->
    locked = true;
    inside++;
    assert(inside == 1);
    inside--;
    locked = false
  od
}
