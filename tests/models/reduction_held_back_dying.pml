/* psw: holds states=32 transitions=48 */
/* A process that has ended holds back others of lower priority only while it is the youngest and can die. */
byte g;
active proctype Low() priority 1 { byte l; l = 1; l = 2; g = l; l = 3 }
active proctype High() priority 5 { skip }
active proctype Young() priority 1 { byte k; k = 1; assert(g != 3); k = 2 }
