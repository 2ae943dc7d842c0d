# ruff: noqa
from asset import Int, Model, Queue, Record, Set, transition


class Prepare(Record):
    ballot: Int(0, 2)


class Accept(Record):
    value: Int(0, 2)


class Other(Record):
    value: Int(0, 2)


class Outside(Model):
    def state(self):
        self.x = Int(0, 9)
        self.sent = Set(Prepare | Accept)
        self.few = Set(Prepare, at_most=2)
        self.queue = Queue(2, Prepare | Accept)

    @transition
    def classes(self):
        self.sent.add(Other(1))
        self.few.add(Accept(1))
        self.queue.put(Other(1))
        self.x = self.queue.peek().name
        self.x = self.queue.peek()
        self.x = self.few[0]

    @transition
    def patterns(self):
        match self.queue.peek():
            case Prepare(1, 2):
                self.x = 1
            case Accept(ballot=1):
                self.x = 2
            case int():
                self.x = 3
        self.x = isinstance(self.x, Prepare)
