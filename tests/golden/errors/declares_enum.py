# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Color(Enum):
    RED = 0


class Declares(Model):
    def state(self):
        self.x = Color.RED
