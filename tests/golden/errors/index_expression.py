# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Index(Model):
    n: int = 3

    def state(self):
        self.x = False

    @transition(i="m + 1")
    def step(self, i):
        self.x = True
