/* psw: holds states=14 transitions=14 */
/* A sorted send among messages that are not sorted stops at the first greater one. */
chan c = [6] of { byte };
active proctype S() { byte v; c!5; c!1; c!!3; c!!7; c?v; assert(v == 3); c?v; assert(v == 5); c?v; assert(v == 1); c?v; assert(v == 7) }
