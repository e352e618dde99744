/* A ring buffer that two producers and a consumer share. `d_step` makes a calculation one step; `atomic` keeps test and
 * deed together, and may wait at its first statement. Remove the `atomic` of the producer to see an assertion fail.
 *
 * psw check --no-reduction examples/bounded_buffer.pml
 *   holds (11464 states, 29695 transitions)
 */
#define SIZE 3

byte slot[SIZE];
byte first, used;

inline put(value) {
  d_step {
    slot[(first + used) % SIZE] = value;
    used++
  }
}

inline get(value) {
  d_step {
    value = slot[first];
    slot[first] = 0;
    first = (first + 1) % SIZE;
    used--
  }
}

active [2] proctype Producer() {
  byte count;
  do
  :: count < 4 ->
    atomic {
      used < SIZE ->
      assert(slot[(first + used) % SIZE] == 0);
      put(_pid + 1)
    };
    count++
  :: else -> break
  od
}

active proctype Consumer() {
  byte item, taken[3];
end_waiting:
  do
  :: atomic { used > 0 -> get(item) };
    assert(item == 1 || item == 2);
    taken[item]++;
    assert(taken[item] <= 4)
  od
}
