#define R 2
byte readers; bool writing; byte data;
active [R] proctype Reader() {
  byte seen, i;
  do
  :: i < 2 -> atomic { !writing -> readers++ }; seen = data; assert(!writing); readers--; i++
  :: else -> break
  od
}
active [2] proctype Writer() {
  atomic { !writing && readers == 0 -> writing = true };
  data++; assert(readers == 0);
  writing = false
}
