/* psw: violated=invalid_end_state states=5 transitions=5 errors=1 */
/* run with a high priority inside an atomic sequence, then run of another type. */
chan c = [1] of { byte };
proctype P() { skip }
proctype Q() { c?_ }
init { atomic { run P() priority 3; run Q() } }
