/* psw: holds states=15 transitions=25 */
/* Sorted sends in every order leave the same channel. */
chan c = [3] of { byte };
active [3] proctype S() { c!!_pid }
