/* psw: holds states=43 transitions=59 */
/* The argument is a channel of init: its number does not depend on the processes. */
chan g = [1] of { byte };
proctype P(chan c; byte id) { chan own = [1] of { byte }; own!id; c!id; g?_ }
init { chan mine = [2] of { byte }; byte x; run P(mine, 1); run P(mine, 2); mine?x; mine?x; g!x; g!x }
