/* Mutual exclusion done right: Peterson's algorithm. Each of the two says that it wants to enter, then lets the other
 * go first. Try what happens when the two assignments change places.
 *
 * psw check --no-reduction examples/mutex_peterson.pml
 *   holds (38 states, 65 transitions)
 */
bool wants[2];
pid polite;
byte inside;

active [2] proctype Worker() {
  pid other = 1 - _pid;
  do
  :: wants[_pid] = true;
    polite = _pid;
    (!wants[other] || polite == other);
    inside++;
    assert(inside == 1);
    inside--;
    wants[_pid] = false
  od
}
