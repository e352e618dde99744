/* psw: violated=assertion states=85 transitions=327 errors=24 */
/* Who is created first has the smaller pid, and nobody ever dies. */
proctype X() { assert(_pid == 2); do :: true -> true od }
proctype Y() { assert(_pid == 2); do :: true -> true od }
active proctype A() { run X(); do :: true -> true od }
active proctype B() { run Y(); do :: true -> true od }
