# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Bits, Int, Model, invariant, may_progress, terminal, transition, when


import math


def free(x, y):
    return x + y


def forgets(x):
    if x:
        return 1


def loops(x):
    return loops(x - 1)


def first(a):
    return second(a)


def second(a):
    return first(a)


class Calls(Model):
    def state(self):
        self.x = Int(0, 9)
        self.a = Array(3, Int(0, 9))

    def nothing(self):
        self.x = 0

    def pair(self):
        return 1, 2

    @transition
    def other(self):
        self.x = 0

    @transition
    def go(self):
        print(self.x)
        self.x = free(1)
        self.x = free(1, 2, z=3)
        self.x = forgets(self.x)
        self.x = self.nothing()
        self.x = self.pair()
        self.x = loops(3)
        self.x = first(3)
        self.x = math.gcd(self.x, 3)
        self.x = str(self.x)
        self.x = sorted(self.a)
        self.x = free(*self.a)
        self.x = when(self.x > 3)
        self.x = max(self.a, key=abs)
        self.x = len(self.x)
        self.x = sum(self.x)
        self.other()
        len(self.a)
        when(self.x, self.x)
        self.x = free(self.a, 1)
        self.x = enumerate(self.a)

    @transition
    def returns(self):
        return False
