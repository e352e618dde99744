/* temporal: served=violated fair:served=violated */
/* A process that can only receive cannot begin a step: that it is never served is fair, as in SPIN. */
chan c = [0] of { byte }
byte got, idle
active proctype Sender() { do :: c!1 :: idle = 1 - idle od }
active proctype Receiver() { c?got }
ltl served { <> (got == 1) }
