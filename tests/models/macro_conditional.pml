/* psw: holds states=4 transitions=4 */
/* Conditional compilation and pasting of tokens. */
#define CAT(a, b) a##b
#if defined(NOT_DEFINED) || 1 > 2
byte wrong = 1 +;
#else
byte CAT(x, 1);
#endif
active proctype A() { x1 = 2; assert(CAT(x, 1) == 2) }
