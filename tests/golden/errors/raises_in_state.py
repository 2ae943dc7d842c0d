# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Raises(Model):
    def state(self):
        self.x = Array(3, False)
        self.x[3] = True
