/* #if: octal numbers, characters, and C's conditional expression. */
#define SMALL 010
#define N ((SMALL > 7) ? 2 : 3)
#if SMALL == 8 && 'a' == 97 && '\n' == 10 && (defined(SMALL) ? N - 1 : 0)
byte x = 1;
#elif 0x10 == 020 ? 0 : 1
byte x = 2;
#else
byte x = 3;
#endif
active proctype P() { x == 1 -> x = 'z'; x = 017 }
