# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Patterns(Model):
    def state(self):
        self.x = Int(0, 9)
        self.b = False

    @transition
    def step(self):
        match self.x:
            case True:
                self.x = 1
            case [1, 2]:
                self.x = 2
            case {"k": 1}:
                self.x = 3
            case int(y):
                self.x = 4
        match self.x, self.b:
            case 1, True:
                self.x = 5
            case (y, 1) | (1, y):
                self.x = 6
