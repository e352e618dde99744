/* psw: violated=assertion states=128 transitions=251 errors=3 */
/* An atomic sequence that blocks in its middle, and what others see of that. */
chan c = [1] of { byte }; byte g; byte h;
active proctype A() { byte l; atomic { l = 1; g = 1; c?l; g = 2; h == 1 -> g = 3 } }
active proctype B() { byte m; m = 1; c!2; m = 2; h = 1 }
active proctype C() { byte k; k = 1; assert(g != 2); k = 2; if :: g == 1 -> c!7 :: else fi }
