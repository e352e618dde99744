/* psw: holds states=64 transitions=185 */
/* Offers in a loop with an else, beside a process that is not ready yet. */
chan c = [0] of { byte }; byte g;
active proctype A() { do :: c!1 :: else -> g = 1 od }
active proctype B() { byte l; do :: l = 1; l = 2; c?l :: break od; g = 2 }
active proctype C() { byte k; do :: k = 1 - k od }
