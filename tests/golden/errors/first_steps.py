# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Map, Model, choose, invariant, process, transition, when


class FirstSteps(Model):
    n: int = 2

    def state(self):
        self.x = Int(0, 3)
        self.word = "idle"
        self.seen = Array(self.n, False)

    @transition
    def without_self(self):
        x += 1

    @transition
    def imports(self):
        import random

        self.x = random.randint(0, 3)

    @transition
    def changes_a_global(self):
        global count
        count += 1

    @transition
    def makes_a_text(self):
        self.word = f"{self.x}"

    @transition
    def forgets(self):
        self.x = None

    @transition(i="n")
    def waits(self, i):
        when(not self.seen[i])
        v = yield 3
        self.x = v

    @process(i="n")
    def visitor(self, i):
        self.seen[i] = True
        yield "inside"

    @invariant
    def nobody_is_inside(self):
        return not self.at(self.visitor, "inside")
