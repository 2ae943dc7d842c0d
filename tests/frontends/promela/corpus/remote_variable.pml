active proctype P() { byte v; v = 1; v = 2; v = 0 }
byte x;
active proctype Q() { do :: P:v == 2 -> x = 1; break :: P[0]:v == 1 -> x = 2 od }
