# ruff: noqa
from asset import Array, Int, Map, Model, Optional, Queue, Record, Set, transition, when


class Message(Record):
    kind: bool = False
    to: int


class Compounds(Model):
    def state(self):
        message = Message(to=Int(0, 2))
        self.queue = Queue(2, message)
        self.desks = Array(2, message)
        self.set = Set(3)
        self.other = Set(4)
        self.map = Map(3, Int(0, 3))
        self.pair = (Int(0, 2), False)
        self.owner = Optional(message)
        self.x = Int(0, 9)

    @transition
    def numbers(self):
        self.x = self.queue
        self.x = self.desks[0]
        self.x = self.set + 1
        self.x = self.pair
        self.x = self.desks[0].too
        self.x = self.queue.length
        self.x = self.owner

    @transition
    def changes(self):
        self.x = 1 + self.queue.get().to
        self.queue.peek().to = 2
        self.queue[0].to = 2
        self.pair[0] = 1
        self.owner.to = 1
        self.desks[0].too = 1
        self.desks = self.desks
        self.x = self.set.add(2)
        self.set.union(self.set)
        del self.set[0]

    @transition
    def values(self):
        self.desks[0] = 3
        self.desks[0] = Message(True)
        self.desks[0] = Message(True, 1, 2)
        self.queue.put(True, 1)
        self.pair = (1, True, 2)
        self.set = self.set | self.other
        self.set = self.x
        self.x = self.map.get(1)
        self.desks[0], self.desks[1] = self.desks[1], self.desks[0]

    @transition
    def tests(self):
        when(self.desks[0] == 3)
        when(self.set == self.queue)
        when(self.set <= self.other)
        when(self.pair[self.x])
        when(self.desks[0] in self.set)
        when(3 < self.owner < 5)
        for i, x in enumerate(self.set):
            self.x = i + x
