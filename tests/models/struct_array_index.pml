/* psw: holds states=445 transitions=815 */
/* Arrays of structures with an index that is computed: each process touches one element, of globals and of locals. */
typedef Inner { byte a[2]; bit b }
typedef Cell { byte n; Inner inner[2] }
Cell cells[3];
byte sum;

active [2] proctype User() {
	Cell own[2];
	byte i;
	do
	:: i < 2 ->
		cells[i + _pid].n++;
		cells[i].inner[1 - i].a[_pid] = cells[i + _pid].n;
		own[i].inner[i].b = cells[2 - i].inner[_pid].b;
		i++
	:: else -> break
	od;
	cells[_pid].inner[1].b = own[1 - _pid].inner[0].b;
	d_step { sum = sum + cells[_pid].inner[_pid].a[_pid]; i = 0 }
	assert(cells[2].n <= 1 && own[_pid].n == 0)
}
