(* ASM-SL: quantifiers, set operations, terms with if and case. *)
freetype S == { idle, busy, done }
static function Ids == { 1..3 }
static function Others == Ids \ { 2 }
dynamic function state : INT -> S
  initially MAP_TO_FUN { i -> idle | i in Ids }
external function pick : INT
  with pick in Ids
transition main ==
  block
    if (forall i in Ids : state(i) = done)
    then do forall i in Others state(i) := idle enddo
         state(2) := case state(1) of done : busy; _ : idle endcase
    else if (exists i in Others : i != pick and state(i) = busy)
         then state(pick) := if state(pick) = idle then idle else done endif
         else state(pick) := if state(pick) = idle then busy else done endif
         endif
    endif
  endblock
