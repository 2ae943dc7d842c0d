/* Farmer, wolf, goat and cabbage. */
bool f, w, g, c;
#define bad ((w == g && f != g) || (g == c && f != g))
active proctype Farmer() {
  do
  :: bad -> break
  :: f && w && g && c -> break
  :: else ->
     if
     :: atomic { f == w -> f = !f; w = !w }
     :: atomic { f == g -> f = !f; g = !g }
     :: atomic { f == c -> f = !f; c = !c }
     :: f = !f
     fi
  od
}
ltl stuck { [] !(f && w && g && c && !bad) }
