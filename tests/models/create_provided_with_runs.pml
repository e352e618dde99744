/* psw: violated=invalid_end_state states=22 transitions=34 errors=1 */
/* The created processes may move when the variable allows their id. */
bool may[4]; byte n;
proctype A(byte id) provided (may[id]) { n++; n = n + id; may[id] = false; may[id % 3 + 1] = true; }
init { byte i; atomic { for (i : 1 .. 3) { run A(i) } }; may[2] = true; may[1] = true }
