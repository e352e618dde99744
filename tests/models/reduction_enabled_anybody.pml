/* psw: violated=too_many_processes */
/* Who asks whether others can move, among processes of which nobody knows how many there will be. */
byte n, g;
proctype Many() { byte l; l = 1; n--; l = 2 }
active proctype Maker() { byte k; end: do :: n < 1 -> n++; run Many() od }
active proctype Asks() { byte m; m = 1; end: if :: enabled(0) -> g = 1 fi; m = 2 }
