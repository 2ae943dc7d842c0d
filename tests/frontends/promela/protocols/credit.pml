#define N 2
chan data[N] = [1] of { byte };
chan credit[N] = [2] of { bit };
proctype Tx(byte id) {
  byte n; chan d = data[id]; chan c = credit[id];
  c!1;
end: do :: c?_ -> d!n; n = 1 - n od
}
proctype Rx() {
  byte x, k;
end: do
  :: data[k]?x -> credit[k]!1
  :: k = (k + 1) % N
  od
}
init { atomic { run Tx(0); run Tx(1); run Rx() } }
