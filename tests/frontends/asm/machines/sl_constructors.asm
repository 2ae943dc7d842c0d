(* ASM-SL: elements that are made of numbers, and patterns for them. *)
freetype WHO == { agent : INT, nobody }
freetype MOVE == { go, stay, pass }
static function n == 3
static function Agents == { agent(i) | i in { 1..n } }
static function Who == Agents union { nobody }
dynamic function holder : WHO
  with holder in Who
  initially nobody
dynamic function times : WHO -> INT
  with times(a) in { 0..2 }
  initially MAP_TO_FUN { a -> 0 | a in Agents }
external function Self : WHO
  with Self in Agents
external function wish : WHO -> (MOVE * INT)
  with wish(a) in Union ({ { (m, k) | m in { go, pass } } | k in { 0..1 } })
transition count (a) ==
  if times(a) < 2 then times(a) := times(a) + 1 endif
transition main ==
  case holder of
    nobody : holder := Self;
    agent(k) :
      if Self = agent(k)
      then case wish(Self) of
             (go, 0) : holder := nobody;
             (pass, _) : holder := agent(if k = n then 1 else k + 1 endif);
             _ : count(Self)
           endcase
      endif
  endcase
