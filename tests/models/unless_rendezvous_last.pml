/* psw: holds states=5 transitions=5 */
/* psw: x */
/* An escape that offers a rendezvous nobody takes, tried after one that could be taken, lets the main part go on. */
byte x;
chan r = [0] of { byte };
chan b = [1] of { byte };
active proctype P() { { x = 1 } unless { if :: r!1 :: b!1 fi } }
