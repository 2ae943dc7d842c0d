(* Another name of a type whose elements have arguments. *)

freetype PLACE == { seat : INT, aisle }
typealias WHERE == PLACE

static function Seats == { seat(i) | i in { 1..2 } }

dynamic function taken : WHERE -> BOOL
  initially MAP_TO_FUN { s -> false | s in Seats }

transition main ==
  choose s in Seats with not taken(s)
    taken(s) := true
  endchoose
