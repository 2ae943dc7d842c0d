#define N 3
#define of(name, part) name##part
#define told(value) printf(#value)
byte slotN, slot3;
active [2] proctype P() {
  of(slot, N) = N;
  of(slot, 3) = 1;
  told(N);
  if
  :: slotN == 3 -> slotN = slot3
  :: else slotN = 0
  fi
}
