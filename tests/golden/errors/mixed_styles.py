# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Mixed(Model):
    def state(self):
        self.x = False

    def nr_transitions(self):
        return 2

    def fire_transition(self, t):
        return False

    @transition
    def step(self):
        self.x = True
