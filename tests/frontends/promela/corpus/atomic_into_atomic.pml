byte x;
active proctype P() {
  do
  :: atomic { x == 0 -> x = 1; goto other }
  :: atomic { x == 3 -> break }
  :: atomic { x++; if :: x > 2 -> goto other :: x <= 2 -> skip fi }
other: atomic { x = x + 1; x = (x > 3 -> 3 : x) }
  od;
  atomic { x = 5; x = 6 }
}
active proctype Q() { x = 2; x = 1 }
