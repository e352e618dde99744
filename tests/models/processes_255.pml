/* psw: violated=invalid_end_state states=2 transitions=2 errors=1 */
/* The limit of 255 processes is not passed. */
proctype Q() { (false) }
init { byte i; atomic { do :: i < 254 -> run Q(); i++ :: else -> break od } }
