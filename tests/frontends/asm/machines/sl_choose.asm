(* ASM-SL: choose and let. *)
static function Digits == { 0..4 }
dynamic function low : INT
  with low in Digits
  initially 0
dynamic function high : INT
  with high in Digits
  initially 4
transition main ==
  choose d in Digits with d > low and d < high
    let middle == (low + high) div 2, up == d >= middle in
      if up then high := d else low := d endif
    endlet
  ifnone
    low := 0
    high := 4
  endchoose
