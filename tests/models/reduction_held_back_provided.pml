/* psw: holds states=51 transitions=71 */
/* A process of higher priority whose provided clause others make true, and false again. */
byte g, h;
active proctype Low() priority 1 { byte l; l = 1; l = 2; assert(g < 2 || h > 0); l = 3 }
active proctype Set() priority 1 { byte k; k = 1; g = 1; k = 2; g = 2 }
active proctype High() priority 5 provided (g == 1) { h++; h++; h++ }
