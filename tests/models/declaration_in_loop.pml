/* psw: holds states=20 transitions=20 */
/* A declaration in a loop sets its variable each time. */
byte i, top;
active proctype A() { do :: i < 3 -> byte w; w++; if :: w > top -> top = w :: else fi; i++ :: else -> break od; assert(top == 1) }
