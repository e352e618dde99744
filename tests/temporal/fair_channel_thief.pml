/* temporal: got=violated fair:got=violated fair[strong]:got=holds fair[weak,channel/c]:got=holds fair[weak,channel/c:Receiver]:got=holds fair[weak,channel/c:Thief]:got=violated fair[weak,channel/d]:got=violated */
/* A channel that loses messages is a process that takes some of them. It does not take all. */
chan c = [1] of { bit };
chan d = [1] of { bit };
bool received;

active proctype Sender() { do :: c!1 od }

active proctype Receiver() { do :: atomic { c?1 -> received = true }; received = false od }

active proctype Thief() { do :: c?_ od }

ltl got { []<>received }
