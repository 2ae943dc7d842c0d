bool stop; byte ticks, cleaned;
active proctype Worker() {
  {
    do
    :: ticks < 3 -> ticks++
    :: ticks == 3 -> break
    od;
    ticks = 9
  } unless { stop -> cleaned++ };
  assert(ticks == 9 || cleaned == 1)
}
active proctype Stopper() { if :: stop = true :: skip fi }
