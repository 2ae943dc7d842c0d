byte x;
active [2] proctype P() {
  do
  :: atomic { x < 3 -> x++; if :: x == 2 -> goto out :: else -> x++ fi; x = x + 0 }
  :: atomic { x >= 3 -> break }
  od;
out:
  x = 1;
  atomic { skip; goto next };
next:
  atomic { x = 4; x = 5 }
}
