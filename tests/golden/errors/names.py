# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


from asset import check

LIMIT = 3
MUTABLE = [1, 2]


class Color(IntEnum):
    RED = 0
    GREEN = 1


class Names(Model):
    n: int = 3

    def state(self):
        self.client = Array(self.n, Color.RED)
        self.count = Int(0, 9)

    @transition(i="n")
    def unknown(self, i):
        self.clinet[i] = Color.RED
        self.cuont = 1
        when(counter > 3)
        when(count > LIMTI)
        self.client[i] = Color.BLUE
        self.count = Colour.RED
        self.n = 4
        self.client = 3
        self.client[i][0] = 3
        self.count[0] = 3
        self.count = self.client
        self.count = MUTABLE[0]
        self.count = self.unknown
        self.count = Color.RED.real.imag

    @transition
    def unassigned(self):
        if self.count > 3:
            x = 1
        self.count = x
        for k in range(self.count):
            y = k
        self.count = y + k

    @transition
    def rows(self):
        if self.count > 3:
            row = self.client
        else:
            row = (1, 2, 3)
        self.count = row[0]
        z = 1
        while self.count > 0:
            self.count -= z
            z = self.client
