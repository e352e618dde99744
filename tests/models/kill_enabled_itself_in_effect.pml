/* psw: violated=enabled_of_itself spin=differs */
/* A process may not ask whether it is enabled itself, in an assertion neither. SPIN says so too, and searches no further. */
active proctype P() { assert(enabled(_pid)) }
