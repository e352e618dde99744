/* psw: holds states=1 transitions=1 */
/* Nobody takes what he offers himself, even if somebody else looks at the channel. */
chan c = [0] of { bit };
active proctype P() { end: do :: c!1 :: c?1 od }
active proctype Q() { end: c?0; assert(false) }
