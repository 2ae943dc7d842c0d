(* ASM-SL: types, static and dynamic functions, blocks and conditions. *)
freetype LIGHT == { dark, bright }
static function Rooms == { 1..3 }
static function next == MAP_TO_FUN { 1 -> 2, 2 -> 3, 3 -> 1 }
dynamic function light : INT -> LIGHT
  with light(r) in { dark, bright }
  initially MAP_TO_FUN { r -> dark | r in Rooms }
dynamic function here : INT
  with here in Rooms
  initially 1
external function step : BOOL
transition toggle (r) ==
  if light(r) = dark then light(r) := bright else light(r) := dark endif
transition main ==
  block
    toggle(here)
    if step then here := next(here) endif
  endblock
invariant somewhere == here in Rooms
