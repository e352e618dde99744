/* Stop-and-wait: a sender repeats a packet until it is acknowledged; the network holds one packet each way and loses some.
 *
 * Shows: a sequence number is progress. The peak does not grow with the number of packets. Where processes stand is
 * progress too, although all of them go round: it keeps the peak at a tenth of the states.
 *     psw check --no-reduction -D PACKETS=50 examples/stop_and_wait.pml                                       holds
 *     psw check --no-reduction -D PACKETS=50 --progress control examples/stop_and_wait.pml                    only by where processes stand
 *     psw check --no-reduction -D PACKETS=50 --progress 'receiver[1]:expected' examples/stop_and_wait.pml     with a measure of one's own
 * After the examples of Kristensen and Mailund, "A Compositional Sweep-Line State Space Exploration Method", and of
 * Gallasch, Kristensen and Mailund, "Sweep-Line State Space Exploration for Coloured Petri Nets".
 */
#ifndef PACKETS
#define PACKETS 10
#endif

chan sent = [0] of { short };                /* from the sender to the network, */
chan data = [0] of { short };                /* from there to the receiver, */
chan answer = [0] of { short };              /* from the receiver to the network, */
chan ack = [0] of { short };                 /* and back to the sender */

active proctype sender() {
	short next;
	do
	:: next < PACKETS ->
	   do
	   :: sent ! next                    /* send, or send again */
	   :: ack ? eval(next)               /* of the packet before: too late */
	   :: ack ? eval(next + 1) -> break
	   od;
	   next++
	:: next == PACKETS -> break
	od;
end:	do
	:: ack ? _
	od
}

active proctype receiver() {
	short expected, number;
end:	do
	:: data ? number ->
	   if
	   :: number == expected -> expected++
	   :: else                           /* it was sent again */
	   fi;
	   assert(number + 1 == expected);
	   answer ! expected
	od
}

active proctype forth() {
	short packet;
end:	do
	:: sent ? packet ->
	   if
	   :: skip -> data ! packet
	   :: skip                           /* lost on the way */
	   fi
	od
}

active proctype back() {
	short packet;
end:	do
	:: answer ? packet ->
	   if
	   :: skip -> ack ! packet
	   :: skip                           /* lost on the way */
	   fi
	od
}
