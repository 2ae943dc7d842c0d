/* A monitor process checks a global property. */
byte n;
active proctype Up() { do :: n < 4 -> n = n + 2 od }
active proctype Down() { do :: n > 1 -> n = n - 2 od }
active proctype Monitor() { assert(n % 2 == 0) }
