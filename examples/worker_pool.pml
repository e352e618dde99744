/* A pool of workers: init creates them in a loop, each with its number, which is also the number of its channels. A worker
 * takes its order, computes, adds what the workers before it have computed, passes the sum on, and ends.
 *
 * Shows: processes that are created in one atomic loop have fixed pids and fixed ids, so where each of them stands is
 * progress: a sweep stores at most 11 % of the states at a time.
 *     psw check --no-reduction examples/worker_pool.pml      holds
 */
#ifndef WORKERS
#define WORKERS 5
#endif

chan order[WORKERS] = [1] of { byte };       /* order[id]: for worker id */
chan sum[WORKERS + 1] = [1] of { byte };     /* sum[id]: of all workers before worker id; the last one is for init */
byte busy, ended;

proctype worker(byte id) {
	byte mine, others;
	order[id] ? mine;
	busy++;
	mine = mine * 2;                     /* the work */
	busy--;
	if
	:: id > 0 -> sum[id] ? others
	:: else                              /* the first in line */
	fi;
	sum[id + 1] ! mine + others;
	ended++
}

init {
	byte i, total;
	atomic {
		for (i : 0 .. WORKERS - 1) {
			run worker(i)
		}
	}
	for (i : 0 .. WORKERS - 1) {
		order[i] ! i + 1
	}
	sum[WORKERS] ? total;
	assert(total == WORKERS * (WORKERS + 1));
	(_nr_pr == 1);                       /* all have died */
	assert(busy == 0 && ended == WORKERS)
}
