/* psw: violated=assertion states=32 transitions=61 errors=12 */
/* The guard and the `run` are two steps: two creators together exceed the bound. */
proctype W() { assert(_nr_pr < 5); end: (false) }
active [2] proctype C() { end: do :: _nr_pr < 4 -> run W() od }
