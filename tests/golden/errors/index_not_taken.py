# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Map, Model, Queue, Record, invariant, process, transition, when


class NotTaken(Model):
    def state(self):
        self.x = False

    @transition(i=2)
    def step(self):
        self.x = True
