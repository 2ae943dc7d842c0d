/* A label that a separator follows is one of a skip. */
byte x;
active proctype P() {
  do
  :: x < 2 -> x++; again: ;
  :: x == 2 -> x = 3; goto again
  :: x == 3 -> break
  od;
  last: -> x = 4;
  end: ;
}
