/* psw: holds states=126 transitions=220 */
/* else beside buffered send and receive sees whether they could be executed. */
chan c = [1] of { byte };
byte lost;
active proctype S() { byte i; do :: i < 3 -> i++; if :: c!i :: else -> lost++ fi :: else -> break od }
active proctype R() { byte v; do :: c?v -> skip :: else -> if :: lost > 1 -> break :: else fi od }
