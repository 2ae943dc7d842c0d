byte i;
active proctype P() {
  do
  :: i < 5 -> i++
  :: break
  od;
  do
  :: i > 0 -> i--; if :: i == 2 -> break :: else fi
  :: i == 0 -> goto done
  od;
  i = 9;
done: skip
}
