chan q = [4] of { byte, bool };
byte a, b;
active proctype Put() { q!1,1; q!2,0; q!1,0; q!2,1 }
active proctype A() { bool f; q??1,f; a = a + f + 1; q??1,f; a = a + f + 1 }
active proctype B() { bool f; q??2,f; b = b + f; if :: q??[2,true] -> q??2,f :: empty(q) fi; b = b + f }
