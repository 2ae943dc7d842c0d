from enum import IntEnum

from asset import Array, Model, terminal, transition, when


class Seat(IntEnum):
    THINKING = 0
    WAITING = 1
    FED = 2


class Table(Model):
    """Philosophers who each take the left fork first: they may all wait for each other."""

    n: int = 3

    def state(self):
        self.seat = Array(self.n, Seat.THINKING)
        self.taken = Array(self.n, False)

    @transition(i="n")
    def take_left(self, i):
        when(self.seat[i] == Seat.THINKING and not self.taken[i])
        self.taken[i] = True
        self.seat[i] = Seat.WAITING

    @transition(i="n")
    def eat(self, i):
        when(self.seat[i] == Seat.WAITING and not self.taken[(i + 1) % self.n])
        self.taken[i] = False
        self.seat[i] = Seat.FED

    @terminal
    def done(self):
        return all(seat == Seat.FED for seat in self.seat)
