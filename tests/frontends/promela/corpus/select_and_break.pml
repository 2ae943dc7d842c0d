#define N 5
byte x; int t;
active proctype P() { select (x : 1 .. N); t = x; select (x: 0 .. t); for (x : t .. t+1) { skip; break }; for (t : 1..2) { if :: t == 1 -> goto out :: else fi } out: x = 0 }
