/* Channels in structures: each worker has its own mailbox. */
typedef Worker { chan box = [1] of { byte }; byte load }
Worker w[2];
byte done;
active proctype Dispatcher() {
  byte k;
  for (k : 1 .. 3) {
    if
    :: w[0].load <= w[1].load -> w[0].load++; w[0].box!k
    :: w[1].load <= w[0].load -> w[1].load++; w[1].box!k
    fi
  }
}
proctype Run(byte me) {
  byte job;
end: do :: w[me].box?job -> done++; w[me].load-- od
}
init { run Run(0); run Run(1) }
