/* psw: violated=assertion states=13 transitions=15 errors=2 */
/* What is known of x before the d_step, which blocks, does not hold behind it. */
byte x, y, z;

active proctype A() {
    end: atomic { x < 5; d_step { y == 1; z = x } };
    assert(z != 200)
}

active proctype B() { x = 200; y = 1 }
