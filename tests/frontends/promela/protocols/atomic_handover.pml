chan c = [0] of { byte };
byte log[3]; byte n;
inline note(x) { log[n] = x; n++ }
active proctype A() { atomic { note(1); c!1; note(2) } }
active proctype B() { byte x; atomic { c?x; note(x + 2) } }
active proctype C() { skip; skip }
