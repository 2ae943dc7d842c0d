mtype = { one, two, three };
mtype:fruit = { apple, pear };
mtype m = two; mtype:fruit f;
byte n;
active proctype P() {
  do
  :: m == two -> m = three; n = three
  :: m == three -> m = one
  :: m == one -> f = pear; break
  od;
  assert(one == 3 && three == 1 && apple == 2)
}
active proctype Q() { f = apple; n = m }
