/* psw: holds states=5 transitions=5 */
/* local and show change nothing here. */
local byte x;
show byte y;
active proctype A() { x = 1; x = 2; y = x }
