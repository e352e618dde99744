/* psw: holds states=8 transitions=8 */
/* Values of messages are cut to the type of the field, and again to that of the variable. */
chan c = [1] of { short };
active proctype A() { byte v; c!65537; c?v; assert(v == 1); c!-1; c?v; assert(v == 255) }
