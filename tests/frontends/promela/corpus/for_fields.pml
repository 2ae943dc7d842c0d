// `for (k in a)` where the array is a field, one of structures, or an element's.
typedef Inner { byte a[2]; byte one };
typedef Outer { Inner part[2] };
Outer o[2];

active proctype P() {
  byte k;
  for (k in o[1].part[0].a) { o[1].part[0].a[k] = k + 1 }
  o[0].part[1].one = o[1].part[0].a[1];
  for (k in o) { o[k].part[k].one++ }
  assert(o[0].part[1].one == 2 && o[1].part[1].one == 1)
}

active proctype Q() {
  byte k;
  for (k in o[0].part) { o[1].part[k].a[k] > 0 -> o[1].part[k].a[k] = 3 }
}
