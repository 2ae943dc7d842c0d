/* A sieve: how many processes there can be depends on messages. */
#define MOST 7
proctype Sieve(chan in; byte prime) {
  chan rest = [1] of { byte };
  byte n;
  bool made;
  do
  :: in?n ->
    if
    :: n == 0 -> break
    :: n > 0 && n % prime == 0
    :: n % prime != 0 && made -> rest!n
    :: n % prime != 0 && !made -> made = true; run Sieve(rest, n)
    fi
  od;
  if :: made -> rest!0 :: else fi
}
init {
  chan all = [1] of { byte };
  byte k = 3;
  run Sieve(all, 2);
  do :: k <= MOST -> all!k; k++ :: else -> all!0; break od
}
