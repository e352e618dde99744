/* psw: holds states=3 transitions=3 */
/* Nobody ever runs the proctype that claims the channel. R keeps the processes from being known before the run. */
chan c = [1] of { byte };
proctype S() { xs c; c!1 }
proctype R() { run R(); c?_ }
active proctype T() { c!2 }
