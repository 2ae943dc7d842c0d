# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Map, Model, Queue, Record, invariant, process, transition, when


class Indices(Model):
    def state(self):
        self.x = False

    @invariant(i=2)
    def holds(self, i):
        return True
