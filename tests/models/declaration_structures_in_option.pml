/* psw: violated=invalid_end_state states=9 transitions=9 errors=1 */
/* The declaration of a structure is a step, and no skip: several in an option are as many steps. */
typedef T { byte id };
active proctype P() { do :: T v; T w; skip; v.id == 0; v.id = 1 od }
