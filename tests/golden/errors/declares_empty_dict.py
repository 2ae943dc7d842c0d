# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Map, Model, Queue, Record, invariant, process, transition, when


class Empty(Model):
    def state(self):
        self.d = {}

    @transition
    def step(self):
        self.d[0] = 1
