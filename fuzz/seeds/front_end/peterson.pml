bool flag[2], turn;
byte inside;

active [2] proctype user() {
    do
    :: flag[_pid] = 1
       turn = _pid
       (flag[1 - _pid] == 0 || turn == 1 - _pid)
       inside++
       assert(inside == 1)
       inside--
       flag[_pid] = 0
    od
}
ltl mutex { [] inside < 2 }
