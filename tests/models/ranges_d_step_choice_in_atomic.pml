/* psw: violated=assertion states=52 transitions=68 errors=7 */
/* As ranges_d_step_in_atomic, with a d_step that opens with a choice, and one that opens with a receive. */
chan c = [1] of { byte };
byte x, y, z, m;

active proctype A() {
    end1: atomic { x < 5; d_step { if :: y == 1 -> skip fi; z = x } };
    assert(z != 200);
    end2: atomic { x > 100; d_step { c?m; z = x } };
    assert(z != 7)
}

active proctype B() { x = 200; y = 1; x = 201; x = 7; end: c!1 }
