# ruff: noqa: RUF005, RUF015, B905
"""A model that does everything that the language takes with local collections."""

from __future__ import annotations

from enum import IntEnum

from asset import Array, Int, Map, Model, Optional, Queue, Record, Set, invariant, transition, when


class Colour(IntEnum):
    RED = 1
    GREEN = 2
    BLUE = 5


class Offer(Record):
    price: int
    buyer: int

    def rank(self):
        return (self.price, -self.buyer)


def size_of(values):
    return len(values) + sum(values)


class Collections(Model):
    n: int = 3

    def state(self):
        self.row = Array(self.n, Int(0, 4))
        self.other = Array(self.n, Int(0, 4))
        self.grid = Array(2, Array(2, Int(0, 4)))
        self.set = Set(5)
        self.queue = Queue(3, Int(0, 4))
        self.offers = Queue(2, Offer(Int(0, 4), Int(0, 2)))
        self.map = Map(3, Int(0, 4))
        self.best = Optional(Offer(Int(0, 4), Int(0, 2)))
        self.ballot = (Int(0, 4), Int(0, 2))
        self.out = Int(-99, 999)
        self.row[0] = 3
        self.row[1] = 1

    def flip(self):
        self.row[2] = 4 - self.row[2]
        return self.row[2]

    def largest(self):
        return sorted(self.row)[-1]

    @transition(i="n")
    def step(self, i):
        self.row[i] = (self.row[i] + i + 1) % 5

    @transition(k="n")
    def rotate(self, k):
        n = self.n
        self.other = [self.row[(k + j) % n] for j in range(n)]

    @transition(i=5)
    def index(self, i):
        values = [x * x for x in self.row if x != 2]
        self.out = values[i - 2] + 10 * len(values)

    @transition
    def order(self):
        values = sorted(self.row)
        down = sorted([x for x in self.row], reverse=True)
        self.other = values
        self.out = down[0] * 5 + (values == down) + (values < down) + 10 * (values + [9] > down)

    @transition(i=3, j=4)
    def cut(self, i, j):
        values = list(self.row) + [7]
        part = values[i:j]
        self.out = len(part) * 100 + sum(part) + 10 * sum(values[-2:]) + (part == values[: j - i]) + sum(values[::-2])

    @transition(i=3)
    def grow(self, i):
        found = []
        for x in self.row:
            if x > i:
                found.append(x)
            else:
                found.insert(0, x + 1)
        found.extend((i, 2))
        found += [1]
        found.remove(2)
        last = found.pop()
        found.reverse()
        self.out = sum(x * (k + 1) for k, x in enumerate(found)) + last + found.index(i) + found.count(1)

    @transition(i=3)
    def mutate(self, i):
        values = [0] * self.n
        for x in self.row:
            values[x % 3] += 1
        values[i] = 5
        del values[0]
        rows = [[a, b] for a, b in zip(values, reversed(values))]
        rows[1][0] = 3
        self.out = rows[0][1] + 10 * rows[1][0] + 100 * rows[1][1]

    @transition(i=3)
    def plain_sets(self, i):
        seen = set()
        for x in self.row:
            seen.add(x)
        wanted = {x % 3 for x in self.row if x != i}
        both = seen & wanted
        self.set = seen | wanted
        self.out = len(seen) + 10 * len(both) + 100 * (wanted <= seen) + len(seen ^ wanted) + (i in seen)

    @transition(i=3)
    def take_out(self, i):
        seen = {*(), 1} if False else {1, 2, i}
        seen.discard(2)
        seen.remove(self.row[0])
        self.set = {x for x in self.set if x in seen} | {0}
        self.out = sum(seen) + max(seen) + (seen == {1}) + (seen - {1} == set())

    @transition(i=4)
    def dicts(self, i):
        count = {}
        for x in self.row:
            count[x] = count.get(x, 0) + 1
        when(i in count or i == 3)
        self.out = count[i] + 10 * len(count) + sum(k * v for k, v in count.items()) + list(count)[0]
        self.map = {k: v for k, v in count.items() if k < 3}

    @transition(i=3)
    def dict_changes(self, i):
        table = {0: 1, i: self.row[i], 2: 3}
        table[1] = 4
        gone = table.pop(i)
        del table[1]
        same = table == {2: 3}
        self.out = gone + 10 * sum(table.values()) + 100 * same + (0 in table)

    @transition
    def offered(self):
        when(not self.offers.full())
        self.offers.put(Offer(self.row[0], self.row[1] % 3))

    @transition
    def choose_best(self):
        self.best = max(self.offers, key=lambda offer: (offer.price, offer.buyer), default=None)

    @transition
    def rank(self):
        ranked = sorted([o for o in self.offers if o.price > 0], key=lambda o: -o.price)
        self.offers = ranked
        cheapest = min(self.offers, key=lambda o: o.price)
        self.out = cheapest.price + (cheapest == ranked[0])

    @transition(i=3)
    def vote(self, i):
        ballot = (self.row[0], i)
        if ballot > self.ballot:
            self.ballot = ballot
        else:
            self.ballot = max(self.ballot, (self.row[1], 0))
        self.out = (self.ballot >= (2, 1)) + 2 * ((self.row[0], i) in [(3, 0), (1, 1)])

    @transition
    def pairs(self):
        pairs = [(x, k) for k, x in enumerate(self.row)]
        least, where = min(pairs)
        a, b, c = [x for x in self.row]
        self.out = least + 10 * where + max(x for x, _ in pairs) + (a, b)[c % 2] + max(pairs)[1]

    @transition(i=3)
    def lazily(self, i):
        if (i > 0 and sorted(self.row)[i - 1] == self.row[i]) or self.largest() == 4:
            self.out = sorted(self.row)[3] if i == 2 else max([self.row[i], 2])
        elif any(sorted([x, y])[0] == 1 for x in self.row for y in self.row if sorted([x, y])[1] == i):
            self.out = 1
        while len([x for x in self.row if x > self.row[0]]) > 1 and self.row[0] < 4:
            self.row[0] += 1

    @transition(i=3)
    def functions(self, i):
        values = [x for x in self.row if x >= i]
        again = values
        self.out = size_of(values) + size_of(again + [i]) + size_of((i, 2)) + len(tuple(values))
        self.queue = again

    @transition
    def nested(self):
        rows = [list(row) for row in self.grid]
        self.grid[0] = rows[1]
        self.grid[1] = [self.row[0], rows[0][0]]
        self.out = sum(sum(row) for row in rows) + (rows == [[0, 0], [0, 0]])

    @transition(i=3)
    def empty(self, i):
        values = [x for x in self.queue if x > 3]
        self.out = min(values) if i == 0 else max((x for x in values), default=7)
        if i == 2:
            self.row = values

    @transition
    def longer(self):
        values, pair = [], ()
        for x in self.row:
            if x > 1:
                pair = pair + (x, x)
        for k in range(2):
            values = values + [k]
            pair = (*pair, k)
        self.out = len(values) + 10 * len(pair) + values[-1] + sum(pair)

    @transition(i=3)
    def variables(self, i):
        found, pair, who = None, (0, 1), None
        for k, x in enumerate(self.row):
            if x > i:
                found = (x, k)
            if found is not None and found > pair:
                pair = (found[0], pair[0])
            if x == 3:
                who = k
        for offer in self.offers:
            found = (offer.price, 1)
        best = None
        for offer in self.offers:
            if best is None or offer.price < best.price:
                best = offer
        if best is not None:
            self.best = best
        self.out = 0 if found is None else found[0] + 10 * pair[0] + 50 * pair[1]
        self.out += 7 if who is None else who

    @transition
    def enums(self):
        colours = [c for c in Colour if c != Colour.GREEN]
        self.out = sum(colours) + (colours[0] == Colour.RED) + (Colour.BLUE in colours) + all([c > 0 for c in colours])

    @transition
    def first_then(self):
        before = self.flip()
        self.out = sum([x for x in self.row]) + before

    @invariant
    def all_different(self):
        return len(set(self.row)) <= self.n and all(len({x, y}) <= 2 for x in self.row for y in self.other)
