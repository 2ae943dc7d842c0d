import math
from collections import Counter
from enum import Enum

from asset import Array, Int, Model, Queue, Record, Set, transition, when

SEEN = []


class Part(Record):
    a: Int(0, 3)


class Hue(Enum):
    RED = "red"
    BLUE = "blue"


class Remedies(Model):
    LIMIT = 3

    def state(self):
        self.row = Array(3, Int(0, 3))
        self.one = Part()
        self.two = Part()
        self.hue = Hue.RED
        self.queue = Queue(2, Int(0, 3))
        self.out = Int(0, 9)
        self.members = Set(3)

    def total(self, *xs):
        return sum(xs)

    @transition(i=2)
    def chooses_a_place(self, i):
        parts = [self.one if i else self.two]
        parts[0].a = 1

    @transition
    def changes_the_class(self):
        self.LIMIT = 4

    @transition
    def changes_a_constant(self):
        SEEN.append(1)

    @transition
    def changes_a_slice(self):
        xs = list(self.row)
        xs[:1] = [2, 3]
        self.out = sum(xs)

    @transition
    def takes_any_number(self):
        self.out = self.total(*[x for x in self.row])

    @transition
    def asks_a_name(self):
        self.out = int(self.hue.startswith("r"))

    @transition
    def shortens(self):
        self.row.pop()

    @transition
    def assigns_a_part(self):
        self.row[0:1] = [1]

    @transition
    def names_a_function(self):
        def doubled(v):
            w = 2 * v
            return w and doubled(w - 2)

        self.out = doubled(1)

    @transition
    def rounds(self):
        when(self.out > len(self.row) / self.out)
        self.out = math.gcd(self.out, 2)
        when(self.out == len(self.row) / 2)

    @transition
    def takes_any(self):
        self.out = next(iter({1, self.out}))
        self.out = self.members.pop()

    @transition
    def counts(self):
        self.out = Counter(self.row)[1]

    @transition
    def tries(self):
        try:
            self.out = self.row[5]
        except IndexError:
            self.out = 0
