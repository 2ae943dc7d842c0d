# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Declares(Model):
    def state(self):
        row = Array(3, False)
        self.x = row
        self.y = row
