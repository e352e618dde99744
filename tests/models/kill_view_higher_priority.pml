/* psw: holds states=9 transitions=13 */
/* A process of higher priority waits for a variable that the one it holds back never looks at. */
bit x;
byte y;
active proctype H() priority 10 { do :: x -> x = 0 od }
active proctype M() priority 1 { do :: x = 1 od }
active proctype L() priority 1 { do :: y = (y + 1) % 3 od }
