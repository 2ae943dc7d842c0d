(* ASM-SL: relations, and do forall with a guard. *)
static function Nodes == { 0..3 }
dynamic relation seen : INT
  with seen(n in Nodes) in { true, false }
  initially SET_TO_REL { 0 }
external function from : INT
  with from in Nodes
transition main ==
  do forall n in Nodes with seen(from) and n = (from + 1) mod 4
    seen(n) := true
    if n = 3 then seen(0) := false endif
  enddo
