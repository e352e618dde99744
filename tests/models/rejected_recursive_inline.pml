/* psw: rejected */
/* An inline that calls itself. */
inline f() { f() }
active proctype A() { f() }
