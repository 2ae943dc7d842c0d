byte x;
active proctype p() {
  do
  :: x < 3 -> x++
  :: else -> goto done
  od;
done:
}
