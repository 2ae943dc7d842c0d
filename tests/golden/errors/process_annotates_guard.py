# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Model, invariant, process, transition, when


class Guard(Model):
    def state(self):
        self.x = Int(0, 3)

    @process
    def go(self):
        when: self.x < 3
        self.x += 1
        yield
