/* psw: violated=block_in_d_step */
/* Sequences that begin with a send or a receive, on channels that are full or empty. */
chan c = [1] of { byte }; chan d = [2] of { byte }; byte g;
active proctype S() { byte l; d_step { c!1; l = 1; d!2 }; d_step { c!2; g = 1 }; assert(len(d) < 2) }
active proctype R() { byte l; d_step { c?l; g = l }; if :: c?l :: d?l :: else -> l = 9 fi; assert(l != 9) }
active proctype T() { byte k; k = 1; d!5; k = 2; d!6 }
