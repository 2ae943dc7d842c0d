int i = -7, j = 2; short s = 32767; byte b = 255; unsigned u : 4 = 15; bit z = 1;
active proctype p() {
 s++; b = b + 2; u++; z++; i = i / j; i = -7 % j; i = 1 << 4; j = i >> 2; i = -16 >> 2; i = 5 & 3 | 8 ^ 1;
 i = ~i; b = -1; b--; i = 2147483647; i++; j = 'a'; s = 70000; u = -1; z = 2; i = (1 == 1) + (2 > 1); i = !5; i = - - 4;
 i = 10 - 4 - 3; i = 2 * 3 % 4; assert(i == 2);
}
