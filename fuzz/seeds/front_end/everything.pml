/* Nearly every construct of Promela, for tests of the parser; it is not meant to be run. */
#define N 3
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define NAME(a) chan_ ## a
#define SAY(text, ...) printf(text, ## __VA_ARGS__)
#if N > 2 && defined(MAX)
mtype = { red, green, blue };
#else
mtype = { wrong };
#endif
mtype:fruit = { apple pear, plum }

bit b; bool flag = true; byte by = 'a', bz; short sh = -1; int in[N] = 7; pid p;
unsigned u : 3 = 5, v : 4;
mtype colour = red; mtype:fruit f = apple
hidden byte scratch; show byte shown; local byte mine;
byte list[3] = { 1, 2, 3 };
chan NAME(a) = [N] of { byte, mtype };
chan none;
chan NAME(b)[2] = [0] of { int }
chan fruits = [1] of { mtype:fruit, chan, bool };
typedef Inner { byte x; byte y[2] }
typedef Outer {
    Inner inner[2]
    chan link = [1] of { byte };
    bool done
}
Outer o, oo[2];

inline set(var, value) {
    var = value
    if
    :: var > 3 -> byte local_one; local_one = var; set_more(local_one)
    :: else
    fi
}
inline set_more(w) { w++; assert(w >= 0) }
inline twice(e) { return 2 * (e) }

proctype Worker(byte me, other; chan link) priority 2 provided (flag && by < 10) {
    byte i, j;
    xr link
    xs chan_a, chan_b
start:
    do
    :: link?i -> skip
    :: link?i(j); break
    :: link??eval(me), 3, -1, _ -> goto start
    :: link?<i>
    :: link??<i, j>;
    :: nempty(link) && i < 3 -> atomic { i++; j-- }
    :: timeout -> goto finish
    :: else -> break
    od
    for (i : 1 .. N) { j = j + i }
    for (i in list)
    {
        list[i] = i << 1 | i & ~j ^ 2
    }
    select (i : 0 .. 5)
    d_step { i = 0; j = 0 }
    { i = 1; chan_a!i, red; chan_a!red(2) } unless { by == 3 }
    chan_b[i]!!-1
    i = twice(j + 1);
    set(i, MAX(j, 2))
    SAY("done %d %e\n", i, colour); SAY("nothing\n")
    printm(colour)
progress: accept_1: skip;
    i = (link?[i, eval(j)] && !link??[3] -> len(link) : run Worker(1, i, link) priority 3)
    o.inner[1].y[0] = oo[i].inner[0].x + -j - - 3;
    assert i == 0 || full(link)
    set_priority(_pid, get_priority(0) + 1)
    (_nr_pr == 1 && enabled(_pid) && pc_value(1) > 0)
    if :: i >= 3 || j <= 2 && i != j && !(i == j) -> i = i / 2 % 3 * 4 >> 1 :: else -> end_here: skip fi
finish:
}

active [2] proctype Other() { skip }
D_proctype Strict() { skip }
init { atomic { run Worker(0, 1, chan_b[0]); run Other() }; (by > 0) }

never claim {
    do
    :: Worker[1]@start && Worker[1]:i > 2
    :: Worker@finish || Worker:j == 0 || np_ || _last == 1
    od
}
trace { do :: chan_a!_, red; chan_a?_, red od }
ltl safe { [] by < 10 && <> (flag U colour == red) }
ltl { always (flag implies eventually !flag) }
ltl other { (!([] X flag) W (by == 1)) V flag <-> Worker[1]@start }
