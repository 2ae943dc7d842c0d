"""Chandy and Lamport's snapshot: money moves between nodes; the snapshot must have all of it."""

from asset import Array, Int, Map, Model, Optional, Queue, Set, invariant, transition, when

MARKER = 0


class Snapshot(Model):
    n: int = 2
    money: int = 2

    def state(self):
        amount = Int(0, self.n * self.money)
        self.cash = Array(self.n, Int(0, self.n * self.money, self.money))
        self.wire = Map((self.n, self.n), Queue(3, amount))
        for a in range(self.n):
            for b in range(self.n):
                if a != b:
                    self.wire[(a, b)] = []
        self.kept = Array(self.n, Optional(amount))
        self.on_wire = Map((self.n, self.n), amount)
        self.recording = Set((self.n, self.n))

    @transition(a="n", b="n")
    def pay(self, a, b):
        when(a != b and self.cash[a] > 0 and not self.wire[(a, b)].full())
        self.cash[a] -= 1
        self.wire[(a, b)].put(1)

    def snap(self, a):
        self.kept[a] = self.cash[a]
        for b in range(self.n):
            if b != a:
                self.wire[(a, b)].put(MARKER)
                self.recording.add((b, a))
                self.on_wire[(b, a)] = 0

    @transition
    def begin(self):
        when(self.kept[0] is None and not any(self.wire[(0, b)].full() for b in range(1, self.n)))
        self.snap(0)

    @transition(a="n", b="n")
    def receive(self, a, b):
        when((a, b) in self.wire and self.wire[(a, b)])
        m = self.wire[(a, b)].get()
        if m == MARKER:
            if self.kept[b] is None:
                when(not any(self.wire[(b, c)].full() for c in range(self.n) if c != b))
                self.snap(b)
            self.recording.discard((a, b))
        else:
            self.cash[b] += m
            if (a, b) in self.recording:
                self.on_wire[(a, b)] += m

    @invariant
    def all_is_there(self):
        done = all(k is not None for k in self.kept) and not self.recording
        return not done or sum(k for k in self.kept) + sum(self.on_wire.values()) == self.n * self.money
