/* psw: violated=invalid_end_state states=14 transitions=22 errors=2 spin=differs */
/* A value is cut to the variable that receives it; when SPIN takes the step back it puts the cut value into the channel. */
byte g;
chan c = [1] of { byte };
active proctype A() { do :: c!0; g = 2 :: c!g :: break od }
active proctype B() { bool l; do :: c?l od }
