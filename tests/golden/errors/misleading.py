import random

from asset import Int, Model, Set, invariant, transition


class Misleading(Model):
    def state(self):
        self.x = Int(0, 3)
        self.members = Set(3)

    def advance(self):
        self.x = 1

    @transition
    def chance(self):
        self.x = random.randint(0, 3)

    @transition
    def unknown_method(self):
        self.advace()

    @transition
    def no_such_method(self):
        self.frobnicate(1)

    @transition
    def pair(self):
        ballot = (1, 2)
        self.x = ballot + 1

    @invariant
    def forgotten(self):
        self.x < 3
