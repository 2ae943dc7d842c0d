# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Map, Model, Queue, Record, invariant, process, transition, when


class Unknown(Model):
    n: int = 2

    def state(self):
        self.x = Int(0, self.m)
