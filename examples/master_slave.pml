/* A master hands out jobs to slaves and takes back results.
 *
 * Shows: progress. The number of jobs handed out never falls, so psw forgets the states of earlier jobs: the peak is a
 * few per cent of all states, however many jobs there are.
 *     psw check --no-reduction -D SLAVES=12 -D JOBS=40 examples/master_slave.pml      holds
 * After the first example of Kristensen and Mailund, "A Compositional Sweep-Line State Space Exploration Method".
 */
#ifndef SLAVES
#define SLAVES 3
#endif
#ifndef JOBS
#define JOBS 10
#endif

chan job = [0] of { byte };
chan result = [0] of { byte };

active [SLAVES] proctype slave() {
end:	do
	:: job ? _; result ! _pid
	od
}

active proctype master() {
	byte given, taken;
	do
	:: given < JOBS && given - taken < SLAVES -> job ! given; given++
	:: taken < given -> result ? _; taken++
	:: taken == JOBS -> break
	od;
	assert(given == JOBS)
}
