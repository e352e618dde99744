/* psw: holds states=65 transitions=102 */
/* The older process ends first and waits for the younger: the place is free only when both have died. */
byte n; bool go;
proctype Old() { n = 1 }
proctype Young() { go; n = 2 }
proctype Next() { assert(_pid == 3); n = n + _pid }
init { atomic { run Old(); run Young() }; run Next(); go = true }
