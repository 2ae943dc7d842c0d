byte b = 254; short s = 32766; unsigned u : 3 = 6; bit t; int big = 2147483646;
active proctype Up() { do :: b != 2 -> b++; s++; u++; t++ :: else -> break od; assert(s == -32766) }
active proctype Big() { big++; big = big + 1; assert(big < 0); big-- }
