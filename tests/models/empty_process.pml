/* psw: holds states=7 transitions=9 */
/* A process that only declares, and one that only skips. */
active proctype P() { byte x; skip }
active proctype Q() { skip }
