/* psw: violated=invalid_end_state states=113 transitions=221 errors=2 */
/* What a condition says about a variable is forgotten where control comes from elsewhere or others may move. */
byte shared;
chan c = [1] of { byte };

active proctype jumper() {
    byte i;
    if
    :: goto inside
    :: i = 9
    fi;
    do
    :: i < 3 -> skip; inside: i = i * 2 + 5; break
    :: i >= 3 -> i = i + 200; break
    od;
    assert(i == 5 || i == 209)
}

active proctype blocked() {
    byte x;
    atomic {
        shared < 2;
        c?x;
        shared = shared + 1
    }
}

active proctype other() {
    shared = 250;
    c!7;
    d_step { shared > 4 -> shared = shared + 5 }
}
