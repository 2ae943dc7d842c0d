"""Two-phase locking: transactions lock what they use; the graph of conflicts has no cycle."""

from enum import Enum

from asset import Array, Int, Model, Optional, Queue, Set, invariant, transition, when

PLAN = ((("r", 0), ("w", 1)), (("r", 1), ("w", 0)))


class Op(Enum):
    R = "r"
    W = "w"


class TwoPL(Model):
    def state(self):
        self.pc = Array(2, Int(0, 2))
        self.shared = Array(2, Set(2))
        self.exclusive = Array(2, Optional(Int(0, 1)))
        self.history = Queue(4, (Int(0, 1), Op, Int(0, 1)))
        self.done = Set(2)

    @transition(t=2)
    def step(self, t):
        when(self.pc[t] < 2)
        kind, x = PLAN[t][self.pc[t]]
        if kind == "r":
            when(self.exclusive[x] is None or self.exclusive[x] == t)
            self.shared[x].add(t)
            op = Op.R
        else:
            when(self.exclusive[x] in (None, t) and self.shared[x] <= {t})
            self.exclusive[x] = t
            op = Op.W
        self.history.put((t, op, x))
        self.pc[t] += 1

    @transition(t=2)
    def commit(self, t):
        when(self.pc[t] == 2 and t not in self.done)
        self.done.add(t)
        for x in range(2):
            self.shared[x].discard(t)
            if self.exclusive[x] == t:
                self.exclusive[x] = None

    def conflicts(self):
        """(a, b): something of a comes before something of b that it conflicts with."""
        h = list(self.history)
        return {
            (h[i][0], h[j][0])
            for i in range(len(h))
            for j in range(i + 1, len(h))
            if h[i][0] != h[j][0] and h[i][2] == h[j][2] and Op.W in (h[i][1], h[j][1])
        }

    @invariant
    def serialisable(self):
        edges = self.conflicts()
        return not any((b, a) in edges for a, b in edges)
