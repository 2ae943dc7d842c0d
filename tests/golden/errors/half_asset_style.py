# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Half(Model):
    def state(self):
        self.x = False

    def fire_transition(self, t):
        return False
