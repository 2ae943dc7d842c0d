# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Index(Model):
    def state(self):
        self.x = False

    @transition(i="True")
    def step(self, i):
        self.x = True
