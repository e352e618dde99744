/* A link that loses messages: whether every message arrives depends on what is assumed of the link, and no more than that
 * is assumed here. The sender repeats a message until it is acknowledged; link and way back lose what they like.
 *
 * psw check examples/lossy_link.pml
 *   violated: the scheduler may forget anybody
 * psw check --fair weak examples/lossy_link.pml
 *   violated: everybody works, and the link loses every message
 * psw check --fair weak --fair-choice link --fair-choice way_back examples/lossy_link.pml
 *   holds: neither way always loses
 * psw check --fair weak --fair-choice link examples/lossy_link.pml
 *   violated: all acknowledgements may be lost
 */
chan sent = [0] of { bit };          /* from the sender to the link, */
chan data = [0] of { bit };          /* from there to the receiver, */
chan answer = [0] of { bit };        /* from the receiver to the way back, */
chan ack = [0] of { bit };           /* and back to the sender */
bool delivered;                      /* a new message has just arrived */

active proctype sender() {
  bit mine, seen;
  do
  :: sent!mine                       /* send, and send again */
  :: ack?seen ->
     if
     :: seen == mine -> mine = 1 - mine
     :: else                         /* an old one */
     fi
  od
}

active proctype receiver() {
  bit wanted, seen;
  do
  :: data?seen ->
     if
     :: seen == wanted ->
        wanted = 1 - wanted;
        delivered = true;
        delivered = false
     :: else                         /* it was sent again */
     fi;
     answer!seen
  od
}

active proctype link() {
  bit message;
  do
  :: sent?message ->
     if
     :: skip -> data!message
     :: skip                         /* lost on the way */
     fi
  od
}

active proctype way_back() {
  bit message;
  do
  :: answer?message ->
     if
     :: skip -> ack!message
     :: skip                         /* lost on the way */
     fi
  od
}

ltl arrives { []<>delivered }
