from enum import Enum

from asset import Array, Int, Model, Record, Set, transition


class Hue(Enum):
    RED = "red"
    BLUE = "blue"


class Pair(Record):
    left: Int(0, 2)
    right: Int(0, 2)


class Everyday(Model):
    def state(self):
        self.hue = Hue.RED
        self.word = "idle"
        self.x = Int(0, 2)
        self.rows = Array(2, Set(3))
        self.members = Set(3)

    def crowded(self):
        for row in self.rows:
            if len(row) > 1:
                return row
        return set()

    def unlike(self):
        for i in range(2):
            if i in self.members:
                return [i]
        return Pair(0, 0)

    def escapes(self):
        for i in range(2):
            for j in range(2):
                if j in self.rows[i]:
                    return (i, j)
                if i == 1:
                    break
        return (0, 0)

    def perhaps(self):
        found = None
        for i in range(2):
            for j in range(2):
                if j in self.rows[i]:
                    return found
                if i == 1:
                    found = j
                    break
        return found

    def is_busy(self):
        return self.members and self.x > 0

    @transition
    def a_part_of_the_state(self):
        self.members = self.crowded()

    @transition
    def several_kinds(self):
        self.x = self.unlike()[0]

    @transition
    def break_in_an_inner_loop(self):
        self.x, _ = self.escapes()

    @transition
    def none_from_an_inner_loop(self):
        self.x = self.perhaps()

    @transition
    def a_collection_that_is_handed_on(self):
        self.x = self.members or 0
        self.x = self.is_busy()
        busy = self.x == 0
        busy = self.members and busy
