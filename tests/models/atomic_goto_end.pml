/* psw: holds states=27 transitions=39 */
/* A jump from an atomic sequence to the end of the process. */
byte x;
active [2] proctype A() { atomic { x++; if :: x > 1 -> goto stop :: else fi; x = 5 }; x = 6; stop: skip }
