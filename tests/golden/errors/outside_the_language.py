# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


class Outside(Model):
    def state(self):
        self.x = Int(0, 9)
        self.a = Array(3, Int(0, 9))

    @transition
    def values(self):
        f = lambda v=1: v + 1
        self.x = 1.5
        self.x = "text"
        self.x = None
        self.x = self.a[0:2]
        self.x = (v for v in self.a)
        self.x = f"{self.x}"
        if 3 < (y := self.x):
            self.x = 0
        self.x = (1, 2)

    @transition
    def operators(self):
        self.x = self.x / 2
        self.x /= 2
        when(self.x is True)
        self.x = self.x @ 2
        self.x == 3
        self.x + 1

    @transition
    def statements(self):
        import os
        from os import path

        global g
        try:
            self.x = 1
        except ValueError:
            pass
        with self.x:
            pass
        del self.x

        def inner():
            pass

        class Inner:
            pass

        yield 1
        for i in range(3):
            self.x = i
        else:
            self.x = 4
        while self.x > 3:
            self.x -= 1
        else:
            self.x = 4
        raise
        raise self.x
