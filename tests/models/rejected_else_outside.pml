/* psw: rejected */
/* Two elses in one choice. */
byte x;
active proctype A() { if :: x == 1 :: else -> x = 2 :: else -> x = 3 fi }
