/* Two semaphores taken in the same order. */
#define P(s) atomic { s > 0 -> s-- }
#define V(s) s++
byte printer = 1, scanner = 2;
byte busy;
active [3] proctype Job() {
  byte round = 0;
  do
  :: round < 2 ->
     P(scanner);
     P(printer);
     busy++;
     assert(busy == 1);
     busy--;
     V(printer);
     V(scanner);
     round++
  :: else -> break
  od
}
