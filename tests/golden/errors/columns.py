# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Columns(Model):
    def state(self):
        self.größe = Int(0, 9)

    @transition
    def wächst(self):
        self.größe = self.größe + größer
