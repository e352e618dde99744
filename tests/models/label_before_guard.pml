/* psw: rejected spin=differs */
/* A label in front of a guard: SPIN ignores it after an error line; psw rejects the model. */
chan q = [0] of { byte };
active proctype P() { byte v; do :: end_idle: q?v -> skip od }
