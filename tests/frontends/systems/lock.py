from enum import IntEnum

from asset import Array, Model, invariant, terminal, transition, when


class At(IntEnum):
    OUTSIDE = 0
    INSIDE = 1
    GONE = 2


class Lock(Model):
    """Processes go through a room, one at a time."""

    n: int = 2

    def state(self):
        self.at = Array(self.n, At.OUTSIDE)
        self.locked = False

    @transition(i="n")
    def enter(self, i):
        when(self.at[i] == At.OUTSIDE and not self.locked)
        self.at[i] = At.INSIDE
        self.locked = True

    @transition(i="n")
    def leave(self, i):
        when(self.at[i] == At.INSIDE)
        self.at[i] = At.GONE
        self.locked = False

    @invariant
    def safe(self):
        return sum(at == At.INSIDE for at in self.at) <= 1

    @terminal
    def done(self):
        return all(at == At.GONE for at in self.at)
