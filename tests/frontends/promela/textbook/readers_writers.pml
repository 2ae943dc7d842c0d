byte readers, writers;
bit turnstile = 1;
inline lock(s) { atomic { s == 1 -> s = 0 } }
inline unlock(s) { s = 1 }
active [2] proctype Reader() {
  end: do
  :: lock(turnstile);
     atomic { writers == 0 -> readers++ };
     unlock(turnstile);
reading: assert(writers == 0);
     readers--
  od
}
active [2] proctype Writer() {
  end: do
  :: lock(turnstile);
     atomic { readers == 0 && writers == 0 -> writers++ }
writing: assert(readers == 0 && writers == 1);
     writers--;
     unlock(turnstile)
  od
}
ltl one_writer { [] (writers <= 1) }
