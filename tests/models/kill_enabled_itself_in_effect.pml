/* psw: violated=enabled_of_itself */
/* A process may not ask whether it is enabled itself, in an assertion neither. */
active proctype P() { assert(enabled(_pid)) }
