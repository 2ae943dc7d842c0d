"""A model with every state type and a transition for every operation, for tests that fire them in any order."""

from __future__ import annotations

from enum import IntEnum

from asset import Array, Bag, Int, Map, Model, Optional, Queue, Record, Set, transition, when
from asset.channels import Duplicating, Lossy, Rendezvous, Reordering

# The language is dynamic Python: state variables are declared by running state().
# mypy: ignore-errors


class Colour(IntEnum):
    RED = 1
    GREEN = 2
    BLUE = 5


class Message(Record):
    colour: Colour = Colour.RED
    to: int

    def reaches(self, i):
        return self.to == i


class Box(Record):
    inner: object
    last: object


class Everything(Model):
    n: int = 3

    def state(self):
        message = Message(to=Int(0, self.n - 1))
        self.queue = Queue(3, Int(1, self.n))
        self.mail = Array(2, Queue(2, message))
        self.set = Set(self.n, {1})
        self.other = Set(self.n)
        self.pairs = Set((2, Colour))
        self.bag = Bag(Colour, 2)
        self.map = Map(range(1, 4), message)
        self.owner = Optional(Int(0, self.n - 1))
        self.draft = Optional(message)
        self.pair = (Int(0, 2), Colour.RED)
        self.box = Box(inner=Array(2, Int(0, 2)), last=Optional((False, Int(0, 3))))
        self.wire = Lossy(Queue(2, message))
        self.echo = Duplicating(Queue(2, Int(0, 2)))
        self.cloud = Reordering(Bag((2, bool), 2))
        self.meeting = Rendezvous(Optional(message))
        self.out = Int(-1, 99)

    # --- queues ---------------------------------------------------------------------------------------------------

    @transition(i=(0, 1, 2, 3))
    def put(self, i):
        self.queue.put(i)

    @transition(i=4)
    def put_where_there_is_room(self, i):
        when(not self.queue.full())
        self.queue.put(i + 1)

    @transition
    def get(self):
        self.out = self.queue.get()

    @transition(i=(-1, 0, 1, 2, 3))
    def get_at(self, i):
        item = self.queue.get(i)
        self.out = item + len(self.queue)

    @transition(i=4)
    def look(self, i):
        self.out = 20 * self.queue.peek() + 5 * self.queue[i] + (i in self.queue) + len(self.queue)
        if self.queue:
            self.out = self.queue.full() + 2 * self.queue.empty()

    @transition
    def rounds(self):
        total = 0
        for k, item in enumerate(self.queue):
            total += k * item
            if total > 4:
                self.queue.clear()
        self.out = total + max((item for item in self.queue), default=7)

    @transition(b=2, i="n")
    def post(self, b, i):
        self.mail[b].put(Message(to=i, colour=Colour.BLUE if b else Colour.GREEN))

    @transition(b=2)
    def read_mail(self, b):
        box = self.mail[b]
        first = box.peek()
        message = box.get()
        assert first == message
        self.mail[1 - b].put(message)
        self.out = message.to + 10 * message.reaches(2) + message.colour

    @transition(i="n")
    def search_mail(self, i):
        self.out = sum(Message(Colour.BLUE, i) in box for box in self.mail) + sum(
            m.to for box in self.mail for m in box if m.colour != Colour.RED
        )

    @transition
    def copy_mail(self):
        self.mail[0] = self.mail[1]
        self.out = int(self.mail[0] == self.mail[1]) + 2 * (self.mail[0] != self.mail[1])

    @transition(b=2)
    def clear_mail(self, b):
        self.mail[b].clear()

    # --- sets -----------------------------------------------------------------------------------------------------

    @transition(i=(-1, 0, 1, 2, 3))
    def add(self, i):
        self.set.add(i)

    @transition(i=(-1, 0, 1, 2, 3))
    def discard(self, i):
        self.set.discard(i)

    @transition(i=(-1, 0, 1, 2, 3))
    def remove(self, i):
        self.set.remove(i)

    @transition
    def combine(self):
        both = self.set & self.other
        self.other = (self.set | self.other) - both
        self.set ^= self.other
        self.out = len(both) + len(self.set.union(self.other)) + len(self.set.difference(both.intersection(self.other)))

    @transition(i="n")
    def compare(self, i):
        self.out = (
            (self.set <= self.other)
            + 2 * (self.set < self.other)
            + 4 * (self.set == {i})
            + 8 * self.set.isdisjoint(self.other)
            + 16 * (self.set >= self.other)
            + 32 * (i not in self.set)
        )

    @transition
    def sweep(self):
        old = self.set.copy()
        for x in self.set:
            self.other.add(x)
            self.set.discard(x + 1)
        self.out = sum(x for x in old) + 10 * min(old, default=9)

    @transition(i=2, c=Colour)
    def pair_up(self, i, c):
        if (i, c) in self.pairs:
            self.pairs.remove((i, c))
        else:
            self.pairs.add((i, c))
        self.out = sum(k * colour for k, colour in self.pairs)

    @transition(i="n")
    def renew(self, i):
        self.set = {i, 1}
        self.other.clear()

    # --- bags and maps ----------------------------------------------------------------------------------------------

    @transition(i=(0, 1, 2, 5))
    def into_bag(self, i):
        self.bag.add(i)
        self.out = self.bag.count(i) + 10 * len(self.bag)

    @transition(i=(0, 1, 2, 5))
    def out_of_bag(self, i):
        self.bag.remove(i)
        self.bag.discard(Colour.RED)
        self.out = sum(colour for colour in self.bag) + self.bag.count(9)

    @transition(i="n")
    def enter(self, i):
        self.map[i + 1] = Message(Colour.GREEN, i)
        if i in self.map:
            self.map[i].to = 2

    @transition(i=4)
    def leave(self, i):
        self.out = self.map[i].to + 10 * len(self.map)
        del self.map[i]

    @transition
    def over_map(self):
        self.out = sum(k * self.map[k].colour for k in self.map)
        if self.map:
            self.map.clear()

    # --- optionals, tuples, records -----------------------------------------------------------------------------------

    @transition(i="n")
    def own(self, i):
        when(self.owner is None or self.owner == i + 1)
        self.owner = i
        self.draft = Message(Colour.BLUE, i)

    @transition
    def disown(self):
        self.out = self.owner + self.draft.to
        self.owner = None

    @transition
    def forget(self):
        match self.owner:
            case None:
                self.draft = None
            case 2:
                self.owner = 1
            case _:
                self.out = 3
        if self.owner and self.draft is not None:
            self.mail[0].put(self.draft)

    @transition(i="n")
    def turn(self, i):
        first, colour = self.pair
        self.pair = (i, Colour.GREEN if colour == Colour.RED else Colour.RED)
        self.out = first + self.pair[1] + (self.pair == (1, Colour.RED)) + len(self.pair)

    @transition(i="n")
    def rearrange(self, i):
        self.box.inner[i] = (self.box.inner[0] + 1) % 3
        if self.box.last is None:
            self.box.last = (self.box.inner[1] == 1, i)
        else:
            self.box.last = None

    # --- channels -----------------------------------------------------------------------------------------------------

    @transition(i="n")
    def send(self, i):
        self.wire.send(Message(to=i))

    @transition
    def receive(self):
        message = self.wire.receive()
        self.echo.send(message.to)

    @transition(k=3)
    def lose(self, k):
        self.wire.lose(k)

    @transition
    def again(self):
        self.out = self.echo.receive_again()

    @transition
    def heard(self):
        self.out = self.echo.receive() + 10

    @transition(i=2)
    def rain(self, i):
        self.cloud.send((i, i == 1))

    @transition(i=2)
    def dry(self, i):
        self.cloud.receive((i, True))

    @transition(i="n")
    def offer(self, i):
        self.meeting.offer(Message(Colour.BLUE, i))

    @transition
    def take(self):
        message = self.meeting.take()
        self.out = message.to + 10 * self.meeting.taken()
