/* A server that creates a handler for each request. Handlers die, and later ones get their pids: at most HANDLERS live at
 * the same time, and a client that finds them all there is refused and asks again.
 *
 * Shows: a pid that belongs to one process after the other; a sweep stores at most 12 % of the states at a time.
 *     psw check --no-reduction examples/spawn_on_request.pml      holds
 */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef REQUESTS
#define REQUESTS 3
#endif
#ifndef HANDLERS
#define HANDLERS 2
#endif

mtype = { served, refused };

chan ask = [0] of { byte, byte };            /* the client, and what it wants */
chan answer[CLIENTS] = [1] of { mtype, byte };
byte done;

active [CLIENTS] proctype client() {
	byte wants, got;
	do
	:: wants < REQUESTS ->
	   ask ! _pid, wants;
	   if
	   :: answer[_pid] ? served, got -> assert(got == wants + 1); wants++
	   :: answer[_pid] ? refused, got    /* try again */
	   fi
	:: else -> break
	od
}

active proctype server() {
	byte who, what;
end:	do
	:: ask ? who, what ->
	   if
	   :: _nr_pr <= CLIENTS + HANDLERS -> run handler(who, what)
	   :: else -> answer[who] ! refused, 0
	   fi
	od
}

proctype handler(byte who; byte what) {
	byte result;
	assert(_nr_pr <= CLIENTS + 1 + HANDLERS);
	result = what + 1;
	answer[who] ! served, result;
	done++;
	assert(done <= CLIENTS * REQUESTS)
}
