/* `unless` as an exception: as soon as the button is pressed, whatever the machine does is left for the handler. The
 * escape is tried before every statement of the body, so the motor never starts again once the stop is seen.
 *
 * psw check --no-reduction examples/emergency_stop.pml
 *   holds (141 states, 225 transitions)
 */
bool pressed, motor, stopped;
byte parts;

active proctype Machine() {
  {
    do
    :: parts < 3 ->
      motor = true;
      assert(!stopped);
      parts++;
      motor = false
    :: else -> break
    od
  } unless {
    pressed ->
    d_step { motor = false; stopped = true }
  };
  assert(!motor);
  assert(stopped || parts == 3)
}

active proctype Operator() {
  if
  :: pressed = true
  :: skip
  fi
}
