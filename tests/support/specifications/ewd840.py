"""Dijkstra's termination detection in a ring (EWD 840)."""

from enum import Enum

from asset import Array, Int, Model, invariant, transition, when


class Colour(Enum):
    WHITE = "white"
    BLACK = "black"


class EWD840(Model):
    n: int = 4

    def state(self):
        self.active = [True] * self.n
        self.colour = Array(self.n, Colour.BLACK)
        self.token = Int(0, self.n - 1, 0)
        self.token_colour = Colour.BLACK

    @transition
    def initiate(self):
        when(self.token == 0 and (self.token_colour is Colour.BLACK or self.colour[0] is Colour.BLACK))
        self.token, self.token_colour, self.colour[0] = self.n - 1, Colour.WHITE, Colour.WHITE

    @transition(i="range(1, n)")
    def pass_token(self, i):
        when(self.token == i)
        when(not self.active[i] or self.colour[i] == Colour.BLACK or self.token_colour == Colour.BLACK)
        self.token -= 1
        self.token_colour = Colour.BLACK if self.colour[i] is Colour.BLACK else self.token_colour
        self.colour[i] = Colour.WHITE

    @transition(i="n", j="n")
    def send(self, i, j):
        when(self.active[i] and i != j)
        self.active[j] = True
        self.colour[i] = Colour.BLACK if j > i else self.colour[i]

    @transition(i="n")
    def finish(self, i):
        when(self.active[i])
        self.active[i] = False

    @property
    def detected(self):
        return (
            self.token == 0
            and self.token_colour is Colour.WHITE
            and self.colour[0] is Colour.WHITE
            and not self.active[0]
        )

    @invariant
    def detection(self):
        return not self.detected or not any(self.active)
