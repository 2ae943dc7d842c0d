"""Models with the Python that people write: leaving loops with a value, symbols in local variables, maps as dicts."""

from __future__ import annotations

from enum import Enum

from asset import (
    Array,
    Int,
    Map,
    Model,
    OneOf,
    Optional,
    Queue,
    Record,
    Set,
    choose,
    invariant,
    process,
    transition,
    when,
)


class Hue(Enum):
    RED = "red"
    BLUE = "blue"
    GREEN = "green"


NEXT = {Hue.RED: Hue.BLUE, Hue.BLUE: Hue.GREEN, Hue.GREEN: Hue.RED}
FIXED = {0: 2, 1: 0}


class Found(Record):
    value: Int(0, 3)
    late: bool


class Leaving(Model):
    """Functions that return more than a number from within loops, and `else` after loops."""

    def state(self):
        self.row = Array(3, Int(0, 2))
        self.grid = Array(2, Array(2, Int(0, 2)))
        self.members = Set(3)
        self.found = Optional(Found)
        self.out = Int(0, 9)

    def where(self, k):
        for i in range(3):
            if self.row[i] == k:
                return i, True
            if self.row[i] == 2:
                break
        else:
            return 0, False
        return 2, False

    def cell(self, k):
        for i in range(2):
            for j in range(2):
                if self.grid[i][j] == k:
                    return (i, j)
        return None

    def first(self, k):
        for i, x in enumerate(self.row):
            if x == k:
                return Found(x, i > 1)

    def small(self):
        i = 0
        while i < 3:
            if self.row[i] > 0:
                return {i, self.row[i]}
            i += 1
        return set()

    def picked(self):
        for i in range(2):
            if self.row[i] == 2:
                continue
            for j in range(2):
                if self.grid[i][j] == 1:
                    return [i, j, 1]
                if self.grid[j][i] == 2:
                    return [i]
            if self.row[i] == 1:
                return []
        return [i for i in range(3) if self.row[i] > 1]

    @transition(i=3)
    def turn(self, i):
        at, there = self.where(self.row[i])
        self.row[i] = (self.row[i] + at + there) % 3

    @transition(k=3)
    def mark(self, k):
        place = self.cell(k)
        if place is None:
            self.grid[0][k % 2] = k
        else:
            i, j = place
            self.grid[i][j] = (k + 1) % 3

    @transition(k=3)
    def keep(self, k):
        self.found = self.first(k)

    @transition
    def collect(self):
        self.members = self.small()

    @transition
    def add_up(self):
        when(self.found is not None)
        self.out = sum(self.picked())

    @transition
    def search(self):
        for i in range(3):
            if self.row[i] == 2:
                self.out = i
                break
        else:
            self.out = 9

    @transition
    def search_on(self):
        n = 0
        while n < 3:
            if self.row[n] == 0:
                k = n
                break
            n += 1
        else:
            k = 5
        self.out = k


class Symbols(Model):
    """Members of an Enum and texts in local variables, compared with `is`, and kept over a yield."""

    def state(self):
        self.hue = Hue.RED
        self.hues = Array(2, Hue.RED)
        self.last = Optional(Hue)
        self.word = "idle"

    @transition(h=Hue)
    def paint(self, h):
        when(h is not self.hue)
        self.hue = h

    @transition(i=2)
    def copy(self, i):
        hue = self.hues[i]
        word = "idle"
        if hue is self.hue:
            self.hues[i] = NEXT[hue]
            word = "busy"
        elif self.hues[i] is self.hues[1 - i]:
            self.hues[i] = Hue.RED
        self.word = word

    @transition
    def remember(self):
        last = Hue.BLUE
        for hue in self.hues:
            if hue is not last:
                last = hue
        self.last = None if self.last is last else last

    @transition
    def compare(self):
        when(self.last is not None and self.last is not self.hue)
        self.hue = self.last

    @process(i=2)
    def painter(self, i):
        mine = choose(Hue)
        word = "go"
        yield
        while True:
            when(self.hue is mine)
            self.hue = NEXT[mine]
            word, self.word = self.word, word
            yield
            if word == "idle":
                mine = choose(Hue)
            else:
                kind: Hue = Hue.GREEN
                yield
                mine = NEXT[kind]
            said: OneOf("go", "busy") = "busy"
            yield
            self.word = said


class Dicts(Model):
    """Maps are compared with dicts; lists of choices."""

    n: int = 2

    def state(self):
        self.map = Map(2, Int(0, 2))
        self.hues = Map(Hue, bool)
        self.records = Map(2, Found)
        self.row = Array(2, Int(0, 2))
        self.hit = Int(0, 9)

    @transition(i=2, v=3)
    def put(self, i, v):
        self.map[i] = v

    @transition
    def written(self):
        when(self.map == {0: 1, 1: 2})
        self.map, self.hit = {0: 0}, 1

    @transition
    def turned(self):
        when({0: 1, 1: 1} == self.map)  # noqa: SIM300
        self.hues, self.hit = {Hue.RED: True}, 2

    @transition
    def constant(self):
        when(self.map == FIXED and self.hues == {Hue.RED: 1})
        self.map, self.hit = FIXED, 3

    @transition
    def computed(self):
        when(self.map == {k: v for k, v in self.map.items() if v > 0} and len(self.map) == 2)
        self.records[0] = Found(1, False)
        self.hit = 4

    @transition
    def of_records(self):
        when(self.records == {0: Found(1, False)} and self.map != {3: 1} and self.map != {})
        self.map, self.hit = {}, 5

    @transition
    def grown(self):
        expected = {0: 1}
        expected[1] = self.map.get(1, 0)
        when(self.map == expected)
        self.hit = 6

    @transition(i=2)
    def taken_out(self, i):
        old = self.records.pop(0)
        number = self.map.pop(i)
        self.hit = old.value + number

    @transition
    def exchanged(self):
        when(1 in self.map.values() and (0, 2) not in self.map.items() and Found(1, True) not in self.records.values())
        self.map.update({0: self.map[1], 1: self.map[0]})
        self.hit = sum(k in self.map.values() for k in range(3))

    @transition
    def choices(self):
        self.row = [choose(range(3)) for _ in range(self.n)]

    @transition
    def two_choices(self):
        xs = [choose(0, k + 1) for k in range(2)]
        when(self.row[0] != xs[1])
        self.row[0], self.hit = xs[0], choose(7, 8)

    @process
    def chooser(self):
        yield
        self.row = [choose(0, 2) for _ in range(2)]


class Vote(Record):
    ballot: Int(0, 1)
    voter: Int(0, 1)
    value: Optional((Int(0, 1), Int(0, 1)))


class Ask(Record):
    ballot: Int(0, 1)


class LongLists(Model):
    """Lists of messages: some need no room, as nothing changes before they are used, and some do."""

    def state(self):
        self.sent = Set(Ask | Vote)
        self.out = Int(0, 99)
        self.best = Optional((Int(0, 1), Int(0, 1)))

    @transition(b=2)
    def ask(self, b):
        self.sent.add(Ask(b))

    @transition(b=2, i=2, v=2)
    def vote(self, b, i, v):
        when(Ask(b) in self.sent)
        value = None if b == i else ((b + i) % 2, v)
        self.sent.add(Vote(b, i, value))

    @transition(b=2)
    def fused(self, b):
        votes = [m for m in self.sent if isinstance(m, Vote) and m.ballot == b]
        when(votes and len(votes) > 1)
        values = [m.value for m in votes if m.value is not None]
        when(not values or max(values) > (0, 0))
        self.out = len(values) + sum(m.voter for m in votes)
        self.best = max(values, default=None)

    @transition(b=2)
    def by_key(self, b):
        votes = [m for m in self.sent if isinstance(m, Vote) and m.ballot >= b]
        if not votes:
            self.out = 7
            return
        last = max(votes, key=lambda m: (m.ballot, -m.voter))
        self.out = 10 * last.ballot + last.voter

    @transition(b=2)
    def changed_before(self, b):
        votes = [m for m in self.sent if m.ballot == b]
        self.sent.discard(Ask(b))
        self.out = len(votes) + len(self.sent)

    @transition(b=2)
    def kept(self, b):
        votes = [m for m in self.sent if m.ballot == b]
        when(len(votes) > 1)
        self.sent.remove(votes[0])
        self.out = len(votes)

    @transition
    def wrong_before_it_is_disabled(self):
        votes = [m.voter for m in self.sent]
        when(len(votes) > 3)
        self.out = sum(votes)

    @transition(b=2)
    def shadowed(self, b):
        m = b
        found = [m.ballot for m in self.sent if m.ballot >= b]
        self.out = sum(m * x for x in found) + m + any(x > m for x in found)

    @transition(b=2)
    def nested(self, b):
        found = [m for m in self.sent if m.ballot == b]
        pairs = [(m, k) for m in found for k in range(2) if isinstance(m, Vote)]
        when(all(any(isinstance(m, Ask) for m in found) for m in found))
        self.out = len(pairs)

    @transition(b=2)
    def rebound(self, b):
        found = [m.ballot for m in self.sent if m.ballot == b]
        b = 1 - b
        self.out = sum(found) + 2 * b

    @transition(b=2)
    def hidden(self, b):
        found = [m.ballot + 2 * b for m in self.sent]
        self.out = sum(x for x in found for b in range(2)) % 50 + b

    @transition(b=2)
    def captured(self, b):
        found = [m.ballot + b for m in self.sent if m.ballot != b]
        match len(self.sent) % 3:
            case b:
                self.out = max(found, default=0) + b

    @transition(b=2)
    def lists_in_lists(self, b):
        found = [m for m in self.sent if len([x for x in (b, 1) if x == m.ballot]) > 0]
        self.out = len(found)


class Perhaps(Model):
    """Functions that return a number or None, and names that are a number on one path and None on another."""

    def state(self):
        self.row = Array(3, Int(0, 2))
        self.kept = Optional(Int(0, 2))
        self.out = Int(-9, 99)

    @transition(i=3)
    def step(self, i):
        self.row[i] = (self.row[i] + 1) % 3

    def place_of(self, x):
        for k in range(3):
            if self.row[k] == x:
                return k

    @property
    def leader(self):
        if self.row[0] == self.row[1]:
            return self.row[0]
        return None

    @transition(x=3)
    def find(self, x):
        k = self.place_of(x)
        when(k is not None)
        self.out = 10 * x + k

    @transition
    def compare(self):
        a, b = self.place_of(1), self.place_of(2)
        self.out = a * 4 + b if a is not None and b is not None and a < b else 50

    @transition(x=3)
    def keep(self, x):
        when(self.place_of(x) == 1 or self.leader is None)
        self.kept = self.leader

    @transition
    def last(self):
        found = 0
        for x in self.row:
            if x == 2:
                found = None
            elif found is not None:
                found += x
        self.out = -1 if found is None else found

    @invariant
    def leaders_lead(self):
        return self.leader is None or self.row[self.leader] >= 0


class Elements(Model):
    """Records with optional parts and bools as elements, patterns in loops, sets in queues."""

    def state(self):
        self.votes = Set(Vote)
        self.found = Found(2, True)
        self.one = Optional(Found(1) | Ask)
        self.by = Map((2, 2), Found)
        self.queue = Queue(2, Set(3, at_most=2))
        self.out = Int(0, 99)

    @transition(b=2, i=2)
    def vote(self, b, i):
        value = None if b == i else (b, i)
        self.votes.add(Vote(b, i, value))

    @transition
    def forget(self):
        vote = choose(self.votes)
        self.votes.remove(vote)
        self.by[(vote.ballot, vote.voter)] = Found(vote.ballot, vote.value is None)

    @transition
    def turn(self):
        for (b, i), found in self.by.items():
            if b != i:
                found.late = not found.late
                self.found = found
        self.one = self.found if len(self.by) > 1 else Ask(len(self.by))

    @transition
    def look(self):
        match self.one:
            case Found(x, late=True):
                self.out = x
            case Found(late=False):
                self.out = 10
            case Ask(1):
                self.out = 11
            case None:
                self.out = 12

    @transition(i=3)
    def put(self, i):
        when(not self.queue.full())
        self.queue.put({i, 1})
        self.out = int({1} in self.queue) + 2 * int({0, 1} in self.queue) + 4 * int({4} in self.queue)

    @transition
    def take(self):
        when({1, 2} == self.queue.peek())
        self.queue.remove({2, 1})


PLAN = ((("read", 0), ("write", 1)), (("read", 1), ("write", 0)))


class Lengths(Model):
    """Loops over `range(len(xs))`, numbers of elements in names, and tables of texts beside numbers."""

    def state(self):
        self.queue = Queue(3, Int(0, 2))
        self.seen = Set(3)
        self.last = "idle"
        self.out = Int(-9, 99)

    @transition(x=3)
    def put(self, x):
        when(not self.queue.full())
        self.queue.put(x)

    @transition(t=2)
    def plan(self, t):
        what, x = PLAN[t][len(self.queue) % 2]
        if what == "read":
            self.out = x
        else:
            self.seen.add(x)
        self.last = what

    @transition
    def pairs(self):
        h = list(self.queue)
        twice = {(h[i], h[j]) for i in range(len(h)) for j in range(i + 1, len(h)) if h[i] < h[j]}
        self.out = len(twice)

    @transition
    def halves(self):
        h = sorted(self.queue)
        k = len(h) // 2
        self.queue = [h[j] for j in range(k)] + [2 for _ in range(min(len(self.seen), len(h) - k))]

    @transition
    def steps(self):
        self.out = sum([self.queue[k + 1] - self.queue[k] for k in range(len(self.queue) - 1)])

    def first(self, k):
        return [self.queue[j] for j in range(k)]

    @transition
    def some(self):
        few = self.queue.count(1)
        self.out = sum(self.first(few)) + len(self.first(len(self.queue)))
