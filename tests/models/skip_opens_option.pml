/* psw: holds states=12 transitions=12 */
/* At the start of an option a row of skips is a single step; elsewhere each skip is one. */
byte g;
active proctype P() { if :: skip; skip; skip; g = 1 :: g = 2; skip; g = 3 fi; skip; skip }
