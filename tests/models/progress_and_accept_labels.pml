/* psw: holds states=4 transitions=4 */
/* Labels that start with progress or accept change nothing here. */
bit x;
active proctype A() { progress: x = 1; accept: x = 0 }
