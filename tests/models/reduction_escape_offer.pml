/* psw: violated=assertion states=160 transitions=324 errors=9 */
/* An escape that offers: who may accept it is on the way there. */
chan c = [0] of { byte };
byte g;
active proctype U() { { do :: g < 3 -> g++ od } unless { c!1 -> assert(g != 2) } }
active proctype V() { byte l; l = 1; l = 2; c?l; assert(l == 1) }
active proctype T() { byte k; k++; g = 0 }
