/* psw: holds states=27 transitions=35 */
/* _last is the process that moved last, and is a part of the state. */
byte x;
active [2] proctype A() { x = _last; assert(_last == _pid || x < 2) }
