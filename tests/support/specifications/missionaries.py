"""Missionaries and cannibals."""

from enum import IntEnum

from asset import Int, Model, invariant, transition, when


class Bank(IntEnum):
    LEFT = 0
    RIGHT = 1


class Missionaries(Model):
    n: int = 3
    boat: int = 2

    def state(self):
        self.m = [Int(0, self.n, self.n), Int(0, self.n)]
        self.c = [Int(0, self.n, self.n), Int(0, self.n)]
        self.at = Bank.LEFT

    def ok(self):
        return all(self.m[b] == 0 or self.m[b] >= self.c[b] for b in Bank)

    @transition(m="boat + 1", c="boat + 1")
    def cross(self, m, c):
        when(0 < m + c <= self.boat)
        here, there = self.at, 1 - self.at
        when(self.m[here] >= m and self.c[here] >= c)
        self.m[here] -= m
        self.c[here] -= c
        self.m[there] += m
        self.c[there] += c
        self.at = Bank(there)
        when(self.ok())

    @invariant
    def safe(self):
        return self.ok()

    @invariant
    def unsolved(self):
        return self.m[Bank.LEFT] + self.c[Bank.LEFT] > 0
