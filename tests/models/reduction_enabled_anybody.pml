/* psw: holds states=138 transitions=332 */
/* Who asks whether others can move, among processes of which nobody knows how many there will be. */
byte g;
proctype Many() { byte l; l = 1; l = 2 }
active proctype Maker() { byte k; end: do :: _nr_pr < 4 -> run Many() od }
active proctype Asks() { byte m; m = 1; end: if :: enabled(0) -> g = 1 fi; m = 2 }
