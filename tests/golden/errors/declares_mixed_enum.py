# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Color(str, Enum):
    RED = "red"


class Declares(Model):
    def state(self):
        self.x = Color.RED
