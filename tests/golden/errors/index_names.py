# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Index(Model):
    @transition(j="n")
    def step(self, i):
        pass
