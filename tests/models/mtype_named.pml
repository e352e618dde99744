/* psw: holds states=5 transitions=5 */
/* Each named mtype counts on its own. */
mtype:fruit = { apple, pear };
mtype:colour = { red, green, blue };
mtype:fruit f = apple;
active proctype A() { mtype:colour k = blue; assert(f == 2 && k == 1); f = pear; assert(f == 1) }
