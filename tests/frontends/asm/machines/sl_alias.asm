(* ASM-SL: names for types, functions of two arguments, derived functions. *)
typealias POINT == INT * INT
freetype DIR == { north, east }
static function Size == { 0..2 }
static function move(d, k) == if k = 2 then 0 else k + 1 endif
derived function corner(p, q) == p = 2 and q = 2
dynamic function x : INT with x in Size initially 0
dynamic function y : INT with y in Size initially 0
dynamic function been : INT * INT -> BOOL
  initially MAP_TO_FUN { (i, j) -> false | (i, j) in Union({ { (i, j) | i in Size } | j in Size }) }
external function direction : DIR
transition main ==
  block
    been(x, y) := corner(x, y) or been(x, y)
    case direction of
      north : y := move(north, y);
      east : x := move(east, x)
    endcase
  endblock
