#define CAT(a, b) a ## b
#define STR(a) #a
#define LOOP(body) do :: body od
#define EMPTY
#if defined(CAT) && !defined(NOPE) || 0x10 == 16
byte CAT(x, 1);
#elif 1 / 0
#endif
init { LOOP(CAT(x, 1)++; printf(STR(x1 "q")) EMPTY) }
