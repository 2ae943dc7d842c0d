# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Declares(Model):
    n: int = 3

    def state(self):
        self.n = Int(0, 3)
