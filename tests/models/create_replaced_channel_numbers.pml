/* psw: holds states=56 transitions=88 */
/* Which number a local channel gets depends on whether the other process with a channel has died. */
chan g = [2] of { chan };
byte n;
proctype A() { chan c = [1] of { byte }; c!1; c?_; n++ }
proctype B() { chan c = [1] of { byte }; g!c; c?n }
init { chan x; run A(); run B(); g?x; x!5; (n >= 5) }
