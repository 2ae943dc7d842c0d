# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Map, Model, Queue, Record, choose, invariant, process, transition, when


class P(Model):
    def state(self):
        self.x = Int(0, 3)

    @process
    def go(self):
        xs = [0]
        xs.append(1)
        yield
        self.x = xs[0]
        yield
        self.x = 2

    def helper(self):
        self.x = 1
        yield

    def plain(self):
        self.x = 1
