#define OTHER(x) (1 - x)
bit man, wolf, goat, cabbage;
#define eaten ((wolf == goat && man != wolf) || (goat == cabbage && man != goat))
active proctype Cross() {
  do
  :: atomic { man == wolf -> man = OTHER(man); wolf = man } ; if :: eaten -> break :: else fi
  :: atomic { man == goat -> man = OTHER(man); goat = man } ; if :: eaten -> break :: else fi
  :: atomic { man == cabbage -> man = OTHER(man); cabbage = man }; if :: eaten -> break :: else fi
  :: man = OTHER(man); if :: eaten -> break :: else fi
  od
}
ltl stuck { ! <> (man && wolf && goat && cabbage && !eaten) }
