# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Map, Model, Queue, Record, invariant, process, transition, when


class Fixed(Model):
    n: int = 2

    def state(self):
        self.x = False

    @transition(i=range(n))
    def step(self, i):
        self.x = True
