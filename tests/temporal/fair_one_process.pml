/* temporal: pa=violated fair:pa=holds fair[A]:pa=holds fair[0]:pa=holds fair[A[0]]:pa=holds fair[B]:pa=violated fair[1]:pa=violated fair[A]:pb=violated fair[A,B]:pb=holds fair[A]:both=violated fair[A,B]:both=holds */
/* Each of them is ready all the time, and needs nobody but itself. */
bool a, b;

active proctype A() { a = true }

active proctype B() { b = true }

active proctype Busy() { bool x; do :: x = !x od }

ltl pa { <>a }
ltl pb { <>b }
ltl both { <>a && <>b }
