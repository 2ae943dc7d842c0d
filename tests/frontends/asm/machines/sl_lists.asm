(* The values of a function are listed: lists of at most two numbers. *)
static function N == { 1..2 }
dynamic function stack : LIST(INT)
  with stack in { [] } union { [a] | a in N } union { [a, b] | a in N, b in N }
  initially []
dynamic function top : INT with top in N
external function x : INT with x in N
external function push : BOOL
transition main ==
  if push then
    if length (stack) < 2 then stack := cons (x, stack) endif
  else
    case stack of
      [] : top := undef ;
      _ : block top := hd (stack) stack := tl (stack) endblock
    endcase
  endif
invariant short == length (stack) <= 2
