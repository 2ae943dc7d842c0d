/* The observer asks where the others are. */
byte lock;
active [2] proctype T() {
  do
  :: atomic { lock == 0 -> lock = 1 };
cs:  skip;
     lock = 0
  od
}
active proctype Observer() {
  do
  :: T[0]@cs && T[1]@cs -> assert(false)
  :: T@cs -> skip
  od
}
