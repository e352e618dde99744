/* Two-phase commit: an initiator asks for votes and tells every voter what was decided.
 *
 * Shows: progress by control flow alone. No process goes back, so each state is visited once and forgotten when all
 * processes together have come further.
 *     psw check -D VOTERS=8 examples/two_phase_commit.pml      holds
 * After the second example of Kristensen and Mailund, "A Compositional Sweep-Line State Space Exploration Method".
 */
#ifndef VOTERS
#define VOTERS 4
#endif

mtype = { yes, no, commit, abort };

chan ask[VOTERS] = [0] of { bit };
chan vote = [0] of { mtype };
chan tell[VOTERS] = [0] of { mtype };

bool decided, committed;

/* The voters come first, so that their numbers are those of their channels. */
active [VOTERS] proctype voter() {
	ask[_pid] ? _;
	if
	:: vote ! yes;
	   if
	   :: tell[_pid] ? commit -> assert(decided && committed)
	   :: tell[_pid] ? abort -> assert(decided && !committed)
	   fi
	:: vote ! no;
	   tell[_pid] ? abort
	fi
}

active proctype initiator() {
	byte who, votes;
	bool refused;
	do
	:: who < VOTERS -> ask[who] ! 0; who++
	:: who == VOTERS -> break
	od;
	do
	:: votes < VOTERS ->
	   if
	   :: vote ? yes
	   :: vote ? no; refused = true
	   fi;
	   votes++
	:: votes == VOTERS -> break
	od;
	atomic { decided = true; committed = !refused };
	do
	:: who > 0 -> who--;
	   if
	   :: committed -> tell[who] ! commit
	   :: else -> tell[who] ! abort
	   fi
	:: who == 0 -> break
	od
}
