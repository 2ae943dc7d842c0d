# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Properties(Model):
    def state(self):
        self.x = Int(0, 9)

    def reset(self):
        when(self.x > 3)
        self.x = 0
        return 1

    @transition
    def step(self):
        self.x = 10

    @transition
    def later(self):
        when(self.x > 3)
        self.x = 10

    @invariant
    def changes(self):
        return self.reset() == 1

    @invariant
    def forgets(self):
        if self.x > 3:
            return True

    @terminal
    def empty(self):
        return

    @may_progress
    def argument(self, x):
        return True

    def check_state(self):
        if self.x > 3:
            return f"x is {self.x}"
        return self.x
