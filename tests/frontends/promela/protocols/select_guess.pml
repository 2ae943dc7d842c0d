byte secret, guesses; bool hit;
active proctype Game() {
  byte g;
  select (secret : 1 .. 4);
  do
  :: !hit && guesses < 3 -> select (g : 1 .. 4); guesses++; hit = (g == secret)
  :: hit || guesses == 3 -> break
  od
}
