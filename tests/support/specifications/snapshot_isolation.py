"""Snapshot isolation: write skew breaks what each transaction keeps by itself."""

from enum import Enum

from asset import Array, Int, Map, Model, invariant, transition, when


class Status(Enum):
    IDLE = 0
    RUNNING = 1
    COMMITTED = 2
    ABORTED = 3


class SI(Model):
    n: int = 2
    keys: int = 2

    def state(self):
        self.store = [True] * self.keys
        self.version = Array(self.keys, Int(0, self.n))
        self.status = Array(self.n, Status.IDLE)
        self.snapshot = Array(self.n, Array(self.keys, False))
        self.seen = Array(self.n, Array(self.keys, Int(0, self.n)))
        self.writes = Array(self.n, Map(self.keys, bool))

    @transition(t="n")
    def begin(self, t):
        when(self.status[t] is Status.IDLE)
        self.status[t] = Status.RUNNING
        self.snapshot[t] = self.store
        self.seen[t] = self.version

    @transition(t="n", k="keys")
    def leave(self, t, k):
        """A doctor may leave if another one stays, as far as they see."""
        when(self.status[t] is Status.RUNNING and not self.writes[t])
        view = [self.writes[t].get(x, self.snapshot[t][x]) for x in range(self.keys)]
        when(view[k] and sum(view) >= 2)
        self.writes[t][k] = False

    @transition(t="n")
    def commit(self, t):
        when(self.status[t] is Status.RUNNING and len(self.writes[t]) > 0)
        if any(self.version[k] != self.seen[t][k] for k in self.writes[t]):
            self.status[t] = Status.ABORTED
        else:
            self.status[t] = Status.COMMITTED
            for k, v in self.writes[t].items():
                self.store[k] = v
                self.version[k] += 1

    @invariant
    def first_wins(self):
        return all(v <= 1 for v in self.version)

    @invariant
    def someone_on_call(self):
        return any(self.store)
