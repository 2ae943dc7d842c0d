/* a process that makes others, waits for their end, and uses numbers again */
chan result = [1] of { byte };
proctype Square(byte x) { result!x * x }
active proctype Boss() {
  byte i, r, total; pid p;
  do
  :: i < 3 -> p = run Square(i); result?r; total = total + r; _nr_pr == 1; i++
  :: else -> break
  od;
  assert(total == 5)
}
