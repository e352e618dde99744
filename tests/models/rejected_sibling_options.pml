/* psw: rejected */
/* Options of a choice are no blocks: they may not declare the same name. */
byte g;
active proctype A() { if :: byte t = 3; g = t :: byte t = 4; g = t + 1 fi; assert(g == 3 || g == 5) }
