"""A model that does everything that the language takes with sets, bags and maps of records, unions and tuples."""

from __future__ import annotations

from enum import IntEnum

from asset import Array, Bag, Int, Map, Model, Optional, Queue, Record, Set, invariant, transition, when


class Kind(IntEnum):
    ASK = 1
    TELL = 4


class Message(Record):
    kind: Kind
    to: Int(0, 2)


class Prepare(Record):
    ballot: Int(0, 2)


class Promise(Record):
    ballot: Int(0, 2)
    vote: Optional(Int(1, 2))

    def is_for(self, ballot):
        return self.ballot == ballot


class Messages(Model):
    def state(self):
        self.sent = Set(Message)
        self.few = Set(Message, at_most=2)
        self.bag = Bag(Message, 2)
        self.map = Map(Message, Int(0, 3))
        self.wire = Set(Prepare | Promise)
        self.some = Set(Prepare | Promise, at_most=2)
        self.pairs = Set(((2, Kind), bool))
        self.queue = Queue(2, Prepare | Promise)
        self.last = Optional(Prepare(Int(0, 2)) | Message(Kind.ASK, Int(0, 2)))
        self.sets = Set(Array(2, Int(0, 1)), at_most=2)
        self.row = Array(2, Int(0, 3))
        self.out = Int(-9, 999)

    @transition(kind=Kind, to=4)
    def send(self, kind, to):
        m = Message(kind, to)
        self.out = int(m in self.sent) + len(self.sent)
        self.sent.add(m)

    @transition(kind=Kind, to=3)
    def take(self, kind, to):
        self.sent.remove(Message(kind, to))
        self.out = sum(1 for m in self.sent if m.to == to)

    @transition(to=3)
    def each(self, to):
        when(any(m.to == to for m in self.sent))
        total = 0
        for m in self.sent:
            if m.kind == Kind.ASK:
                total += m.to + 1
                self.sent.discard(Message(Kind.TELL, m.to))
        best = max(self.sent, key=lambda m: (m.to, m.kind))
        first = min(m.to for m in self.sent)
        names = {m.to for m in self.sent}
        asked = [m for m in self.sent if m.kind == Kind.ASK]
        self.out = total + 10 * best.to + 100 * first + len(names) + len(asked) + (best in self.few)

    @transition(to=3)
    def keep(self, to):
        self.few.add(Message(Kind.ASK if to else Kind.TELL, to))

    @transition(to=4)
    def drop(self, to):
        self.few.discard(Message(Kind.ASK, to))
        self.out = sum(m.to * 2 + 1 for m in self.few) + 10 * len(self.few) + 100 * (Message(Kind.TELL, 0) in self.few)

    @transition
    def whole(self):
        self.few = {m for m in self.sent if m.to < 2}
        self.sent = {m for m in self.few} | {Message(Kind.ASK, 2)}
        self.out = int(self.few == {Message(Kind.ASK, 0)}) + 2 * (self.few <= {Message(Kind.ASK, 0)})

    @transition(to=3)
    def few_operators(self, to):
        both = self.few | {Message(Kind.ASK, to)}
        self.out = len(both) + 10 * len(self.few - both) + (self.few < both)
        self.few = both

    @transition(to=3)
    def bagged(self, to):
        self.bag.add(Message(Kind.TELL, to))
        self.out = self.bag.count(Message(Kind.TELL, 0)) + 10 * len(self.bag) + sum(m.to for m in self.bag)

    @transition(to=3)
    def mapped(self, to):
        key = Message(Kind.TELL, to)
        self.map[key] = self.map.get(key, 0) + 1
        self.out = self.map[Message(Kind.TELL, 1)] + 10 * len(self.map)
        if to == 2:
            del self.map[Message(Kind.TELL, 0)]

    @transition(b=4)
    def prepare(self, b):
        self.wire.add(Prepare(b))

    @transition(b=3, v=3)
    def promise(self, b, v):
        when(Prepare(b) in self.wire)
        vote = None if v == 0 else v
        self.wire.add(Promise(b, vote))

    @transition(b=3)
    def count(self, b):
        total = 0
        for m in self.wire:
            match m:
                case Prepare(k):
                    total += k + 1
                case Promise(ballot=k, vote=None) if k == b:
                    total += 10
                case Promise(k, v) if v is not None:
                    total += 100 * k + v
                case Promise():
                    total += 5
        votes = [m.vote for m in self.wire if isinstance(m, Promise) and m.ballot == b and m.vote is not None]
        self.out = total % 500 + len(votes) + sum(m.ballot for m in self.wire) + (Promise(b, 1) in self.wire)
        if votes:
            self.row[0] = max(votes)

    @transition
    def forget(self):
        for m in self.wire:
            if isinstance(m, Prepare):
                self.wire.discard(m)
        self.wire -= {Promise(0, None), Promise(1, 2)}

    @transition(b=3)
    def some_of(self, b):
        for m in self.wire:
            if m.ballot == b:
                self.some.add(m)
        self.out = sum(m.ballot for m in self.some) + 10 * any(isinstance(m, Promise) for m in self.some)

    @transition
    def queued(self):
        when(not self.queue.full())
        for m in self.wire:
            if m not in self.queue and not self.queue.full():
                self.queue.put(m)

    @transition
    def received(self):
        when(not self.queue.empty())
        m = self.queue.get()
        if isinstance(m, Prepare):
            self.last = m
            self.out = m.ballot
        else:
            self.out = m.vote if m.vote is not None else 7
        self.wire.discard(m)

    @transition
    def lost(self):
        match self.last:
            case Prepare(ballot):
                self.last = Message(Kind.TELL, ballot)
            case Message(kind=Kind.TELL):
                self.last = Message(Kind.ASK, 1)
            case Message(to=to):
                self.out = to
                self.last = None
            case None:
                self.out = 8

    @transition(i=2, k=Kind)
    def nested(self, i, k):
        self.pairs.add(((i, k), i == 0))
        self.out = sum(a + int(c) for (a, b), c in self.pairs if b == k)

    @transition(i=3)
    def arrays(self, i):
        self.sets.add([i % 2, self.row[0] % 2])
        self.out = sum(len(s) for s in self.sets) + sum(s[1] for s in self.sets)

    @invariant
    def consistent(self):
        return all(m.ballot <= 2 for m in self.wire) and len(self.few) <= 2
