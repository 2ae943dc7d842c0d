chan a = [1] of { byte }; chan b = [1] of { byte };
chan tab[2];
active proctype Init() { tab[0] = a; tab[1] = b; }
active [2] proctype P() { chan c; byte x, k; tab[1] != 0; do :: k < 2 -> c = tab[(k + _pid) % 2]; c!k; c?x; k++ :: else -> break od }
