/* a watchdog by priorities of statements, with two d_steps and an else */
byte beat, missed, resets;
active proctype Dog() {
  do
  :: d_step { beat > 0 -> beat = 0; missed = 0 }
  :: d_step { beat == 0 && missed < 2 -> missed++ }
  :: atomic { missed == 2 && resets < 2 -> resets++; missed = 0; beat = 1 }
  od
}
active proctype Sys() { byte k; do :: k < 2 -> k++; beat = 1 :: else -> break od }
ltl bounded { [] (missed < 3) && <> (missed == 2) }
