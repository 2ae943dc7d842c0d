chan left = [2] of { byte }; chan right = [2] of { byte };
active proctype L() { xs left; xr right; byte i, x; do :: i < 3 -> left!i; right?x; i++ :: else -> break od }
active proctype R() { xr left; xs right; byte x, n; do :: n < 3 -> left?x; n++; right!x + 1 :: else -> break od }
