/* temporal: answered=violated fair:answered=holds kept=holds fair:kept=holds */
/* A request may be put off forever by a third process, unless it must have its turn. */
bool request, answer
byte idle
active proctype Client() { request = true; (answer); request = false }
active proctype Server() { (request) -> answer = true }
active proctype Clock() { do :: idle = 1 - idle od }
ltl answered { [] (request -> <> answer) }
ltl kept { [] (answer -> [] answer) }
