from enum import Enum

from asset import Array, Int, Model, Queue, Record, transition

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

    def total(self, *xs):
        return sum(xs)

    @transition(i=2)
    def chooses_a_place(self, i):
        part = self.one if i else self.two
        part.a = 1

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
        self.out = self.total(1, 2)

    @transition
    def asks_a_name(self):
        self.out = int(self.hue.startswith("r"))

    @transition
    def reverses(self):
        self.row.reverse()

    @transition
    def unpacks(self):
        first, *rest = self.row
        self.out = first + len(rest)
