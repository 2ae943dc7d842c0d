byte a[3] = { 3, 1, 2 }; byte done;
active [2] proctype Sort() {
  byte i, t;
  do
  :: d_step {
       (done < 4 && a[_pid] > a[_pid + 1]) -> t = a[_pid]; a[_pid] = a[_pid + 1]; a[_pid + 1] = t; t = 0; done++
     }
  :: timeout -> break
  od;
  assert(a[0] <= a[1] && a[1] <= a[2])
}
