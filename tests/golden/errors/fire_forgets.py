# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Fire(Model):
    def nr_transitions(self):
        self.x = False
        return 2

    def fire_transition(self, t):
        if t == 1:
            self.x = True
            return True
