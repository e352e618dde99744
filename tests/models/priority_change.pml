/* psw: holds states=9 transitions=9 */
/* set_priority and get_priority. */
byte x;
active proctype A() priority 2 { x = get_priority(_pid); set_priority(_pid, 9); x = _priority; assert(x == 9) }
active proctype B() priority 4 { x = 20; x = 30 }
