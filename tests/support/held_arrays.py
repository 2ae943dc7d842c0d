"""Arrays of numbers within queues, optionals, tuples and records: what is read from these is a value."""

from __future__ import annotations

from asset import Array, Int, Map, Model, Optional, Queue, Record, Set, invariant, transition, when


class Row(Record):
    row: Array(2, Int(0, 2))
    k: bool


class HeldArrays(Model):
    def state(self):
        self.queue = Queue(2, Array(2, Int(0, 2)))
        self.grids = Queue(2, Array(2, Array(2, bool)))
        self.maybe = Optional(Array(2, Int(0, 2)))
        self.pair = (Array(2, Int(0, 2)), bool)
        self.few = Set(Row, at_most=2)
        self.records = Queue(2, Row)
        self.row = Array(2, Int(0, 2))
        self.rows = Array(2, Array(2, Int(0, 2)))
        self.map = Map(2, Array(2, Int(0, 2)))
        self.out = Int(0, 30)

    @transition(v=3)
    def put(self, v):
        when(not self.queue.full())
        self.queue.put([v, 1])
        self.records.put(Row([1, v], v == 1))
        self.maybe = [v, v]
        self.pair = ([v, 2], True)

    @transition
    def take(self):
        xs = self.queue.get()
        self.queue.put([2, 2])
        self.row = xs
        self.out = xs[0] + 3 * xs[1]

    @transition
    def look(self):
        when(self.queue)
        xs = self.queue.peek()
        self.queue[0] = [0, 2]
        self.out = sum(xs) + max(xs) + len(xs) + int(2 in xs) + xs.count(1) + int(xs == [0, 1])
        self.rows[0] = xs

    @transition
    def opt(self):
        when(self.maybe is not None)
        xs = self.maybe
        self.maybe = [0, 1]
        self.row = xs
        self.out = sum(x * k for k, x in enumerate(xs))

    @transition
    def tup(self):
        xs, b = self.pair
        self.pair = ([1, 1], False)
        self.row = [x for x in xs]
        self.out = xs[b] + int(xs == self.row)

    @transition
    def rec(self):
        when(self.records)
        r = self.records.get()
        xs = r.row
        self.row = xs
        self.out = sum(r.row) + xs[0]

    @transition
    def each(self):
        for xs in self.queue:
            self.row[0] = xs[1]
            self.out = xs[0]

    @transition
    def compre(self):
        ys = [xs[0] for xs in self.queue]
        zs = sorted(self.maybe) if self.maybe is not None else [0]
        self.out = sum(ys) + zs[0]

    @transition(i=2)
    def idx(self, i):
        when(len(self.queue) > i)
        self.out = self.queue[i][1 - i]
        xs = self.queue[i]
        self.queue[i] = [1, 1]
        self.rows = [xs, xs]

    @transition
    def pas(self):
        when(self.queue)
        self.out = self.f(self.queue.peek()) + self.f(self.row)

    def f(self, xs):
        return xs[0] + 2 * xs[1]

    @transition
    def two(self):
        when(not self.grids.full())
        self.grids.put([[True, False], [False, True]])
        xs = self.grids.peek()
        self.out = xs[0][0] + xs[1][1] + sum(xs[0])
        ys = xs[1]
        self.grids.get()
        self.row = [int(y) for y in ys]

    @transition(i=2)
    def popped(self, i):
        xs = self.map.pop(i)
        self.map[i] = [2, 2]
        self.row = xs
        self.out = xs[0] + 3 * xs[1]

    @transition(i=2)
    def mapped(self, i):
        self.map[i] = [i, self.row[0]]

    @invariant
    def inv(self):
        return (
            all(sum(xs) <= 4 for xs in self.queue)
            and (self.maybe is None or self.maybe[0] <= 2)
            and self.pair[0][0] >= 0
        )
