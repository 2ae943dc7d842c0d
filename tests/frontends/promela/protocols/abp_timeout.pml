/* alternating bit over lossy channels with a timeout */
mtype = { data, ack };
chan s2r = [1] of { mtype, bit, byte };
chan r2s = [1] of { mtype, bit };
byte sent, got;
active proctype Sender() {
  bit b, a;
  do
  :: sent < 3 ->
     s2r!data(b, sent);
     do
     :: r2s?ack(a) -> if :: a == b -> b = 1 - b; sent++; break :: else fi
     :: timeout -> s2r!data(b, sent)
     od
  :: else -> break
  od
}
active proctype Receiver() {
  bit e, b; byte v;
end: do
  :: s2r?data(b, v) -> if :: b == e -> assert(v == got); got++; e = 1 - e :: else fi; r2s!ack(b)
  od
}
active proctype Loss() {
end: do
  :: s2r?data(_, _)
  :: r2s?ack(_)
  od
}
ltl delivered { [] (got <= sent + 1) }
