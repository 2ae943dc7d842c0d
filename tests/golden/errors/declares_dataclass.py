from dataclasses import dataclass

from asset import Model, transition


@dataclass
class Point:
    x: int
    y: int


class Declares(Model):
    def state(self):
        self.at = Point(1, 2)

    @transition
    def step(self):
        self.at = Point(0, 0)
