# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Map, Model, Queue, Record, invariant, process, transition, when


class Brackets(Model):
    def state(self):
        self.x = False

    @invariant()
    def holds(self):
        return True
