/* Stop-and-wait: a sender repeats a packet until it is acknowledged; the network holds one packet each way and loses some.
 *
 * Shows: a sequence number is progress. The peak does not grow with the number of packets.
 *     psw check -D PACKETS=50 examples/stop_and_wait.pml                                       holds
 *     psw check -D PACKETS=50 --progress 'receiver[1]:expected' examples/stop_and_wait.pml     with a measure of one's own
 * After the example of Gallasch, Kristensen and Mailund, "Sweep-Line State Space Exploration for Coloured Petri Nets".
 */
#ifndef PACKETS
#define PACKETS 10
#endif

chan data = [1] of { short };
chan ack = [1] of { short };

active proctype sender() {
	short next, acknowledged;
	do
	:: next < PACKETS ->
	   if
	   :: data ! next                    /* send, or send again */
	   :: nfull(data) -> skip            /* lost on the way */
	   :: ack ? acknowledged ->
	      if
	      :: acknowledged == next + 1 -> next++
	      :: else
	      fi
	   fi
	:: next == PACKETS -> break
	od;
	do
	:: ack ? _
	:: data ? _
	:: timeout -> break
	od
}

active proctype receiver() {
	short expected, number;
end:	do
	:: data ? number ->
	   if
	   :: number == expected -> expected++
	   :: else
	   fi;
	   assert(number < expected && expected <= number + 2);
	   if
	   :: ack ! expected
	   :: nfull(ack) -> skip             /* lost on the way */
	   fi
	od
}
