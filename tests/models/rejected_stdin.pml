/* psw: rejected */
/* There is no keyboard in a search: the model is refused. */
int c;
active proctype A() { STDIN?c }
