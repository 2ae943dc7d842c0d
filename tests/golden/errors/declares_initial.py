# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Declares(Model):
    def state(self):
        self.x = Int(0, 3, 4)
