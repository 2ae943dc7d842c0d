chan r = [0] of { byte };
chan b = [1] of { byte };
chan c;
byte x;
active proctype P() { if :: c = r :: c = b fi; c!1; x = 1; c!2 }
active proctype Q() { byte v; do :: r?v -> x = v :: b?v -> x = v + 4 od }
