/* psw: holds states=35 transitions=55 */
/* Which channel is the argument depends on a variable that another process writes. */
chan a = [1] of { byte }; chan b = [2] of { byte };
bool w;
proctype P(chan c) { c!1; c!2 }
active proctype Writer() { w = true }
init { byte x; run P((w -> a : b)); if :: a?x :: b?x fi; assert(x == 1) }
