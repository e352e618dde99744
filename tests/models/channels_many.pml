/* psw: violated=invalid_end_state states=45 transitions=89 errors=1 */
/* Channels made by processes, a hundred of them. */
proctype Q() { chan c = [1] of { byte }; c!1; (false) }
init { byte i; d_step { i = 0 } do :: i < 3 -> run Q(); i++ :: else -> break od }
