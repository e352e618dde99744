/* psw: holds states=5 transitions=5 */
/* A receive into an element and a field. */
typedef t { byte f };
chan c = [1] of { byte, byte };
byte a[2], i = 1;
t s;
active proctype A() { c!4,5; c?a[i],s.f; assert(a[1] == 4 && s.f == 5) }
