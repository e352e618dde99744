/* psw: violated=invalid_end_state states=3 transitions=3 errors=1 */
/* A process of a low priority waits for a message that never comes, beside one that was run without a priority. */
chan c = [1] of { byte };
proctype P() priority 3 { skip }
proctype Q() { c?_ }
init { atomic { run P(); run Q() } }
