byte done; 
proctype worker(byte id) { done++ }
init {
  byte i; pid base = _nr_pr;
  for (i : 1 .. 3) { run worker(i) };
  (_nr_pr == base) -> assert(done == 3);
  i = run worker(9); assert(i == 1);
}
