/* psw: holds states=22 transitions=33 */
/* Each new process has a channel of its own. */
byte n;
proctype P() { chan c = [1] of { byte }; c!1; n++ }
init { run P(); run P(); (n == 2) }
