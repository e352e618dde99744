/* psw: holds states=15 transitions=21 */
/* The arguments are fields of a structure and elements of an array. */
typedef R { byte id; byte to[2] }
R r[2]; byte n;
proctype A(byte id; byte to) { assert(to == 3 * id); n = n + to }
init { byte i; atomic { for (i : 0 .. 1) { r[i].id = i + 1; r[i].to[1 - i] = 3 * r[i].id; run A(r[i].id, r[i].to[1 - i]) } } }
