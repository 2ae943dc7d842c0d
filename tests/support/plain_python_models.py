"""Python as people write it without thinking of a model checker: rows as lists, maps as dicts, small functions."""

# ruff: noqa: E731, RUF005
# mypy: ignore-errors

import math
from enum import Enum
from functools import reduce
from operator import or_, xor

from asset import Array, Int, Map, Model, Optional, Queue, Record, Set, choose, invariant, process, transition, when


class Kind(Enum):
    ASK = "ask"
    TELL = "tell"


class Pair(Record):
    left: Int(0, 2)
    right: Int(0, 2)


class Rows(Model):
    """Queues and Arrays do what lists do; what is unpacked may have a rest."""

    def state(self):
        self.row = Array(3, Int(0, 3))
        self.queue = Queue(3, Int(0, 3))
        self.pair = (Int(0, 3), Int(0, 3))
        self.out = Int(0, 30)

    @transition(i=3)
    def turn(self, i):
        self.row[i] = (self.row[i] + 1) % 4

    @transition(i=2, k=range(-2, 4))
    def insert(self, i, k):
        self.queue.insert(k, self.row[i])

    @transition(k=range(-3, 4))
    def delete(self, k):
        del self.queue[k]

    @transition
    def longer(self):
        self.queue += [self.row[0], 1] if self.out % 2 else [2]

    @transition
    def in_order(self):
        self.queue.sort(key=lambda v: (v % 2, -v))
        self.row.sort(reverse=True)
        self.queue.appendleft(self.row[0])

    @transition
    def turned(self):
        self.queue.reverse()
        self.row.reverse()
        queue = self.queue
        queue[:] = queue + [3]

    @transition
    def shifted(self):
        self.pair = self.pair[1:] + (self.row[2],)

    @transition
    def unpacked(self):
        first, *self.queue = self.queue
        low, *_, high = sorted(self.row)
        a, *b = self.pair
        self.out = first + high - low + a + len(b)

    @transition
    def matched(self):
        match self.queue:
            case []:
                self.out = 0
            case [0, *rest]:
                self.queue = rest
            case [*rest, 1 as last]:
                self.out = last + sum(rest)
            case [a, *middle, b] if a == b:
                self.out = 10 + len(middle)
            case [a, b]:
                self.out = a + b

    @transition
    def in_each_round(self):
        when(any(x == y for i, x in enumerate(self.row) for y in self.row[i + 1 :]))
        self.out = sum(abs(x - y) for i, x in enumerate(self.row) for y in self.row[i + 1 :])
        self.out += max([x + y for x in self.row for y in sorted(self.queue)], default=7)


class Collections(Model):
    """Maps do what dicts do, and sets have all their methods; sets and dicts grow in local variables."""

    n: int = 3

    def state(self):
        self.row = Array(3, Int(0, 3))
        self.map = Map(3, Int(0, 3))
        self.members = Set(4)
        self.pairs = Set(Pair, at_most=3)
        self.out = Int(0, 30)

    @transition(i=3)
    def turn(self, i):
        self.row[i] = (self.row[i] + 1) % 4
        self.members ^= {i, self.row[i]}

    @transition(i=4)
    def put(self, i):
        self.map |= {i: self.row[0]}
        given = self.map.setdefault(1, self.row[1])
        self.out = given

    @transition
    def merged(self):
        counts = {}
        for v in self.row:
            counts.setdefault(v, 0)
            counts[v] += 1
        other = {**counts, **self.map, 7: 1} | {5: 2}
        other.update(self.map)
        other |= {6: 3}
        self.out = sum(other.values()) + len(other) + max(counts, key=counts.get)
        self.map = self.map | {0: counts.get(0, 0)}

    @transition
    def least(self):
        self.out = min(self.map, key=self.map.get, default=9)
        self.map = {k: v for k, v in dict(self.map).items() if v != 2}

    @transition
    def methods(self):
        self.members.update(self.row, (v for v in range(2)))
        self.members.difference_update({1}, [2])
        self.out = len(self.members.union([3], {0})) + len(self.members.symmetric_difference({1, 2}))
        self.out += self.members.isdisjoint(self.row) + 2 * self.members.issubset(range(2))

    @transition
    def bounded(self):
        pairs = self.pairs
        pairs |= {Pair(self.row[0] % 3, 1)}
        self.pairs.symmetric_difference_update([Pair(1, self.row[1] % 3)])
        self.out = len(self.pairs.intersection({Pair(1, 1), Pair(0, 1)}))

    @transition
    def grown(self):
        reached = {0}
        for _ in range(3):
            reached |= {(v + self.row[0]) % 4 for v in reached}
        less = reached | {5}
        less = less - {0}
        reached &= less
        self.members = {*reached, *self.members, 0} - {5}
        self.out = len(less) + len({*self.row, *reached})

    @invariant
    def majority(self):
        half = math.ceil(self.n / 2)
        return len(self.members) > self.n / 2 or self.n / 2 > len(self.map) or half > 1


class Functions(Model):
    """Local functions, `reduce`, `:=` and choices in a branch."""

    n: int = 3

    def state(self):
        self.row = Array(3, Int(0, 3))
        self.queue = Queue(2, Int(0, 3))
        self.members = Set(4)
        self.kind = Kind.ASK
        self.out = Int(0, 30)

    @transition(i=3)
    def turn(self, i):
        self.row[i] = (self.row[i] + 1) % 4
        self.kind = Kind.TELL if self.kind == Kind.ASK else Kind.ASK
        if len(self.queue) < 2:
            self.queue.put(self.row[i])

    @transition(i=3)
    def named(self, i):
        offset = 1
        count = lambda v: sum(x == v for x in self.row) + offset
        offset = 2

        def quorum(values):
            return 2 * len(values) > self.n

        by = lambda j: (self.row[j], -j)
        self.out = sum(count(x) for x in self.queue) + quorum(self.members) + min(range(3), key=by) + count(i)

    def both(self, a, b):
        return (2 * a + b) % 10

    @transition
    def reduced(self):
        self.members = reduce(or_, [{v, 0} for v in self.row])
        self.out = reduce(xor, self.row)

    @transition
    def reduced_from(self):
        when(reduce(lambda a, b: a or b > 1, self.queue, False))
        self.out = reduce(self.both, self.queue)

    @transition
    def assigned_within(self):
        if self.out < 20 and (v := self.row[0]) > 0 and (w := self.row[1]) < 3:
            self.out = v + w
        if (v := self.row[2]) == 2:
            self.out = v
        k = 0
        while (here := self.row[k]) < 2 and k < 2:
            k += 1
            self.out = here

    @transition
    def chosen(self):
        v = choose(1, 2) if self.kind == Kind.ASK else 0
        self.out = self.row[0] or choose(3, 4)
        self.row[v] = 0

    @process
    def walk(self):
        while (v := self.row[0]) < 3:
            yield
            if self.out < 9 and (w := self.row[1]) > 0:
                yield "here"
                self.out = v + w
            self.out -= choose(1, 2) if self.out > 4 else 0
            yield


class HandedOn(Model):
    """What `and` and `or` hand on: a collection, None, a number; or only a condition is made of it."""

    def state(self):
        self.items = Set(2)
        self.queue = Queue(2, Int(0, 2))
        self.flag = False
        self.first, self.second = Optional(Int(0, 2)), Optional(Int(0, 2))
        self.out = Int(0, 5)

    def is_next(self, i):
        return self.queue and self.queue[0] == i

    @property
    def is_open(self):
        return self.items or self.flag

    def either(self):
        return self.first or self.second

    def smallest(self):
        return next((i for i in range(3) if i in self.queue), None)

    @transition(i=3)
    def put(self, i):
        when(not self.queue.full())
        self.queue.put(i)

    @transition
    def get(self):
        when(self.is_next(0) or self.is_next(1))
        self.items.add(self.queue.get())

    @transition
    def perhaps(self):
        when(self.is_open or self.out > 0)
        self.first = self.first or self.second
        self.second = self.second and self.first
        self.flag = not self.flag

    @transition
    def begin(self):
        self.second = choose(None, 0, 1)
        found = self.either()
        self.out = 3 if found is None else found

    @transition
    def collections(self):
        self.items = self.items or {1}
        more = [v for v in self.queue if v] or [5]
        is_full = self.queue and self.flag
        self.out = 0 if is_full else more[0]
        self.first = self.smallest()

    @invariant
    def something(self):
        return self.queue or self.items

    @invariant
    def known(self):
        return self.first


class Views(Model):
    """keys() is a set, and what is compared may be None where it is equal."""

    def state(self):
        self.level = Map(3, Int(0, 2))
        self.other = Map(3, Int(0, 2))
        self.some = Set(3)
        self.first, self.second = Optional(Int(0, 2)), Optional(Int(0, 2))
        self.best = (Optional(Int(0, 2)), Int(0, 2))
        self.out = Int(0, 40)

    @transition(i=3)
    def put(self, i):
        self.level[i] = 2 - i

    @transition(i=2)
    def put_other(self, i):
        self.other[i] = 0
        self.first = choose(None, 0, 2)

    @transition
    def common(self):
        self.some = self.level.keys() & self.other.keys()
        self.out = len(self.level.keys() - self.some) + 4 * (self.level.keys() == self.other.keys())

    @transition
    def included(self):
        self.out = (self.some <= self.level.keys()) + 2 * (self.level.keys() >= self.some)
        self.some |= self.level.keys()
        self.some.difference_update(self.other.keys())

    @transition
    def local(self):
        d = {k: v for k, v in self.level.items()}
        self.out = sum(d.values()) + len(d.keys()) + 2 * (1 in d.keys() | {5}) + 4 * ((1, 1) in d.items())
        self.out += (d.keys() <= self.other.keys()) + 2 * (d.keys() == {0, 1}) + len(d.keys() | {0})
        x, y = {0: 1, 2: 2}.values()
        self.out += x + y

    @transition
    def order(self):
        self.second = self.first
        self.out = ((self.first, 1) < (self.second, 2)) + 2 * ((self.first, 1) >= (0, 1))
        self.best = max(self.best, (self.first, 1))
