/* psw: violated=priority_range */
/* A priority that is no priority; SPIN breaks off. */
byte p = 0;
active proctype A() priority 2 { set_priority(_pid, 300); p = 1 }
