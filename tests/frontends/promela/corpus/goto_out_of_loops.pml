byte x;
active proctype P() {
  do
  :: do
     :: x < 2 -> x++
     :: x == 2 -> goto next
     :: x > 5 -> break
     od
  :: goto next
  od;
next:
  if :: goto last :: x = 1 fi;
last:
  x = 7
}
active proctype Q() { x = 6 }
