// A channel may have room for more than 255 messages, and -> separates declarations, too.
chan c = [300] of { byte } -> byte n;

active proctype P() {
  do
  :: n < 2 -> c!n; n++
  :: c?_
  od
}

active proctype Q() {
  do
  :: c?_
  :: len(c) == 2 -> break
  od
}
