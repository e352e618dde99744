/* Two-phase commit: an initiator asks for votes and tells every voter what was decided.
 *
 * Shows: progress by control flow alone. No process goes back, so each state is visited once and forgotten when all
 * processes together have come further.
 *     psw check --no-reduction -D VOTERS=8 examples/two_phase_commit.pml      holds
 * After the second example of Kristensen and Mailund, "A Compositional Sweep-Line State Space Exploration Method".
 */
#ifndef VOTERS
#define VOTERS 4
#endif

mtype = { yes, no };

chan vote = [0] of { mtype };
bool asked, decided, committed;

active [VOTERS] proctype voter() {
	if
	:: asked -> vote ! yes; decided
	:: asked -> vote ! no; atomic { decided; assert(!committed) }
	fi
}

active proctype initiator() {
	byte votes;
	bool refused;
	asked = true;
	do
	:: atomic { vote ? yes; votes++ }
	:: atomic { vote ? no; votes++; refused = true }
	:: votes == VOTERS -> break
	od;
	atomic { committed = !refused; decided = true }
}
