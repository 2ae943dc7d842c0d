from enum import IntEnum

from asset import Array, Model, invariant, transition, when


class At(IntEnum):
    OUTSIDE = 0
    DOOR = 1
    INSIDE = 2


class Race(Model):
    """Processes look whether the room is free, and go in a step later."""

    n: int = 2

    def state(self):
        self.at = Array(self.n, At.OUTSIDE)
        self.locked = False

    @transition(i="n")
    def look(self, i):
        when(self.at[i] == At.OUTSIDE and not self.locked)
        self.at[i] = At.DOOR

    @transition(i="n")
    def enter(self, i):
        when(self.at[i] == At.DOOR)
        self.locked = True
        self.at[i] = At.INSIDE

    @transition(i="n")
    def leave(self, i):
        when(self.at[i] == At.INSIDE)
        self.locked = False
        self.at[i] = At.OUTSIDE

    @invariant
    def safe(self):
        return sum(at == At.INSIDE for at in self.at) <= 1
