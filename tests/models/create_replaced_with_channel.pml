/* psw: holds states=766 transitions=1870 */
/* The process that gets pid 1 later has channels of its own and the first has none: the numbers of channels shift. */
byte n;
proctype A() { n++ }
proctype B() { chan c = [1] of { byte }; chan d = [2] of { short }; c!n; d!1000; n = c; d!c; c?_; d?1000 }
init { chan e = [1] of { byte }; run A(); run B(); run A(); e!n; e?_ }
