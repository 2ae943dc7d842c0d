byte x = 2;
active proctype p() {
  if :: x == 2 -> skip; :: x == 3; x = 4; :: else; x = 5 fi;
  if :: atomic { x == 2; x = 3 } :: d_step { x == 2; x = 4; } fi;
  { x++ ; x-- ; } ;
  if :: { x == 3 -> x = 1 } :: (x == 4) -> { x = 0; } fi
  x = 9
}
