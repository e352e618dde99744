/* psw: violated=invalid_end_state states=70 transitions=135 errors=1 */
/* What lets a process wait: the number of processes, the length of a channel, an element by a changing index. */
chan c = [2] of { bit };
bit a[4];
byte i;
active proctype Number() { _nr_pr == 4 }
active proctype Length() { len(c) == 2 }
active proctype Index() { a[i] == 1 }
active proctype Changer() { a[2] = 1; i = 1; i = 2; c!0; c!1 }
active proctype Last() { skip; skip }
