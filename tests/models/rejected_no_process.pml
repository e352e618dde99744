/* psw: rejected */
/* A model without a process. */
byte x;
