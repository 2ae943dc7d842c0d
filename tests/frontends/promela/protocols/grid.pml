#define R 2
#define C 2
chan g[4] = [1] of { byte };
active [4] proctype Cell() {
  byte r = _pid / C, c = _pid % C, x, k;
  do
  :: k < 2 -> g[r * C + (c + 1) % C]!k; g[r * C + c]?x; k++; r = (r + x) % R
  :: else -> break
  od
}
