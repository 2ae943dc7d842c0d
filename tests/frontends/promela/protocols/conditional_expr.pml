#define len_ok() (x % 2 == 1 && !(x == 7))
byte x = 5, y; short d;
active proctype P() { d = (x > y -> x - y : y - x); x = (d & 1 -> x >> 1 : x << 2); y = x ^ 3; assert(y != 99) }
active proctype Q() { y = (len_ok() -> 1 : 2) }
