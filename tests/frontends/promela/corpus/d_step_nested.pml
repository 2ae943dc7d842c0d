// A d_step inside of a d_step is nothing but braces.
byte x, y;

active [2] proctype P() {
  byte i;
  do
  :: d_step {
       x < 4;
       i = 0;
       do
       :: i < x -> i++; d_step { y = i }
       :: i == x -> break
       od;
       d_step { d_step { x++ }; i = 0 }
     }
  :: atomic { d_step { x == 3 || x == 5; { x = 0 } }; d_step { y = 0 } }
  :: atomic { x > 0 -> d_step { x--; d_step { x++; x-- } } }
  od
}
