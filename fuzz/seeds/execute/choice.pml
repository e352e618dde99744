byte x, y; chan c = [1] of { byte };
active [2] proctype P() { byte n; do :: n < 3 -> n++; c!n :: c?x -> atomic { y = y + x; assert(y < 9) } :: timeout -> break od }
