chan line = [1] of { byte }; byte tries;
active proctype S() {
  byte x;
  do
  :: tries < 3 -> line!tries; tries++
  :: timeout -> tries = 3; break
  :: tries == 3 -> break
  od
}
active proctype R() { byte y; line?y; line?y }
