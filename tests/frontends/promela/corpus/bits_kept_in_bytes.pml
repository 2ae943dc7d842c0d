bool seen[2] = 3;
bit flags[3];
typedef Pair { bit both[2]; bit alone }
Pair pair;
chan single = [1] of { bit };
chan several = [1] of { bit, bool };
active proctype P() {
  byte x, y;
  flags[1] = 2;
  flags[2]--;
  seen[0] = flags[1];
  pair.both[1] = 5;
  pair.alone = 2;
  assert(flags[1] == 2 && flags[2] == 255 && seen[0] == 2 && seen[1] == 3);
  assert(pair.both[1] == 5 && pair.alone == 0);
  single!3;
  if
  :: single?[1] -> assert(false)
  :: single?x -> assert(x == 3)
  fi;
  several!3, 4;
  several?x, y;
  assert(x == 1 && y == 0)
}
