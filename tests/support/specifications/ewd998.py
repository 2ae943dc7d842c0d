"""Safra's termination detection (EWD 998): nodes count messages; bounded."""

from enum import IntEnum

from asset import Array, Int, Model, Record, invariant, transition, when


class Colour(IntEnum):
    WHITE = 0
    BLACK = 1


class Token(Record):
    at: int
    sum: int
    colour: Colour = Colour.BLACK


class EWD998(Model):
    n: int = 3
    most: int = 2

    def state(self):
        self.active = [True for _ in range(self.n)]
        self.colour = Array(self.n, Colour.WHITE)
        self.counter = Array(self.n, Int(-self.most, self.most))
        self.pending = Array(self.n, Int(0, self.most))
        self.token = Token(Int(0, self.n - 1), Int(-self.n * self.most, self.n * self.most))

    @transition
    def initiate(self):
        t = self.token
        when(t.at == 0 and (t.colour == Colour.BLACK or self.colour[0] == Colour.BLACK or self.counter[0] + t.sum > 0))
        self.token = Token(self.n - 1, 0, Colour.WHITE)
        self.colour[0] = Colour.WHITE

    @transition(i="range(1, n)")
    def pass_token(self, i):
        when(not self.active[i] and self.token.at == i)
        t = self.token
        t.at -= 1
        t.sum += self.counter[i]
        t.colour = max(t.colour, self.colour[i])
        self.colour[i] = Colour.WHITE

    @transition(i="n")
    def send(self, i):
        when(self.active[i] and self.counter[i] < self.most)
        self.counter[i] += 1
        for j in range(self.n):
            if j == (i + 1) % self.n:
                when(self.pending[j] < self.most)
                self.pending[j] += 1

    @transition(i="n")
    def receive(self, i):
        when(self.pending[i] and self.counter[i] > -self.most)
        self.pending[i] -= 1
        self.counter[i] -= 1
        self.colour[i] = Colour.BLACK
        self.active[i] = True

    @transition(i="n")
    def finish(self, i):
        when(self.active[i])
        self.active[i] = False

    @property
    def terminated(self):
        return not any(self.active) and not sum(self.pending)

    @invariant
    def detection(self):
        t = self.token
        found = (
            t.at == 0
            and t.colour == Colour.WHITE
            and t.sum + self.counter[0] == 0
            and self.colour[0] == Colour.WHITE
            and not self.active[0]
        )
        return self.terminated if found else True

    @invariant
    def counters(self):
        return sum(self.pending) == sum(self.counter)
