chan q = [1] of { byte }; byte empties, seen;
active proctype P() { byte i; for (i : 1 .. 2) { q!i } }
active proctype Q() {
  byte x;
  do
  :: q?x -> seen = seen + x; if :: seen == 3 -> break :: else fi
  :: empty(q) && empties < 2 -> empties++
  od
}
