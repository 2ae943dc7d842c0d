from typing import NamedTuple

from asset import Int, Model, Record, transition


class Point(NamedTuple):
    x: int
    y: int


class Pair(Record):
    left: Int(0, 2)
    right: Int(0, 2)


class Tuples(Model):
    def state(self):
        self.at = (Int(0, 2), Int(0, 2))

    @transition
    def step(self):
        self.at = Point(0, 1)

    @transition
    def change(self):
        pair = Pair(0, 1)
        pair.left = 1
