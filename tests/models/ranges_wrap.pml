/* psw: holds states=24 transitions=24 */
/* A value that is too large for its type wraps, whatever its range was before. */
byte b;
short s = 32767;
int n = 2147483647;
mtype = { red, green };
mtype m;
chan q = [1] of { bit, byte, short };

active proctype wraps() {
    byte i;
    bit odd;
    short cut;
    for (i : 0 .. 2) { b = b + 100 }
    assert(b == 44);
    s++;
    assert(s == -32768);
    n = n + 1;
    assert(n < 0);
    q!3, 300, 70000;
    q?odd, b, cut;
    assert(odd == 1 && b == 44 && cut == 4464);
    b = -n % 7 + 3;
    m = b + 300;
    i = (m + 5) / (1 + odd) - 200
}
