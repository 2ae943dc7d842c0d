chan a = [1] of { byte };
chan b = [2] of { byte };
byte x;
active proctype P() { chan c = a; byte v; c!1; c = b; c!2; c!3; c = a; c?v; x = v; if :: c == a -> a = b :: else fi; a?v }
active proctype Q() { byte v; b?v; x = v }
