/* temporal: never=violated fair:never=violated */
/* A claim with an accept label, an else, and a jump. */
byte x
active proctype P() { do :: x = (x + 1) % 4 od }
never {
begin:
    if
    :: x == 3 -> goto accept_seen
    :: else -> goto begin
    fi;
accept_seen:
    if
    :: true -> goto accept_seen
    fi
}
