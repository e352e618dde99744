/* psw: holds states=29 transitions=41 */
/* A poll looks at the message and not only at the length: the same process sees it match and not match. */
chan c = [2] of { byte };
byte seen;

active proctype Poller() {
	do
	:: c?[2] -> seen = 1; break
	:: c?[1] && seen == 0 -> skip
	:: seen == 3 -> break
	od
}

active proctype Writer() {
	byte x;
	c!1; c?x; c!2; c?x; c!3; seen = 3
}
