"""Random models whose transitions sum, search, filter, number and combine what is made of every kind of collection.

Each expression is put together from numbers, tests, iterables and pairs, which nest; a name that a comprehension binds
is used inside of it. What the language leaves out is rejected, with its place.
"""

from __future__ import annotations

from random import Random

HEAD = """\
from enum import Enum
from itertools import chain, combinations, pairwise
from asset import Array, Bag, Int, Map, Model, Optional, Queue, Record, Set, transition, when


class Hue(Enum):
    RED = "red"
    BLUE = "blue"


class Part(Record):
    size: Int(0, 2)
    late: bool

    def both(self):
        return self.size, int(self.late)


AHEAD = {0: (0, 1), 1: (1, 2), 2: (2, 0)}
DELAY = {0: 2, 1: 0, 2: 1}
ROWS = [[0, 1], [1, 2], [2]]
NAMED = {Hue.RED: (1, 2), Hue.BLUE: (0,)}
NESTED = {0: {0: 1, 1: 2}, 1: {0: 0, 2: 1}, 2: {1: 2}}


def twice(x):
    return 2 * x


class Random(Model):
    def state(self):
        self.x = Int(0, 2)
        self.flag = False
        self.hue = Hue.RED
        self.row = Array(3, Int(0, 2))
        self.grid = Array(3, Array(2, Int(0, 2)))
        self.queue = Queue(3, Int(0, 2))
        self.queues = Array(3, Queue(2, Int(0, 2)))
        self.members = Set(3)
        self.few = Set(3, at_most=2)
        self.map = Map(3, Int(0, 2))
        self.parts = Array(3, Part())
        self.kept = Set(Part)
        self.perhaps = Optional(Int(0, 2))
        self.pair = (Int(0, 2), Int(0, 2))
        self.pairs = Set((3, 3))
        self.bag = Bag(3, 2)
        self.out = Int(-999, 999)

    def others(self, x):
        return [y for y in self.row if y != x]

    def here(self, x):
        return self.row[x], self.x

    def place(self, x):
        for k, y in enumerate(self.row):
            if y == x:
                return k
        return x

    @transition(i=3, k=3)
    def stir(self, i, k):
        self.row[i], self.grid[i][k % 2], self.pair = k, i, (k, self.x)
        self.members ^= {i}
        self.pairs ^= {(i, k)}
        self.kept ^= {Part(k, i > 0)}
        self.few = {i, k} - {0}
        self.map[k] = i
        self.parts[k] = Part(i, k > 1)
        self.queue = [*self.queue, k, i][-3:]
        self.queues[i] = [k, self.x][: k + 1]
        self.hue = Hue.BLUE if k else Hue.RED
        self.perhaps = i if k else None
        self.x, self.flag = k, i > k
        if self.bag.count(i) < 2:
            self.bag.add(i)
"""

ITERABLES = """\
self.row|self.grid[{i}]|self.queue|self.queues[{i}]|self.members|self.few|self.map|self.map.values()|self.pair|self.bag
AHEAD[{i}]|ROWS[{i}]|DELAY|DELAY.values()|NAMED[self.hue]|NESTED[{i}].values()|range(3)|range({i})|self.others({i})
self.here({i})|self.parts[{i}].both()|[p.size for p in self.kept]|[p.size for p in self.parts if p.late]
[x for x, _ in self.pairs]"""
NUMBERS = """\
0|1|2|{i}|{i}|self.x|self.row[{i}]|self.grid[{i}][0]|self.parts[{i}].size|self.pair[1]|AHEAD[{i}][-1]|DELAY[{i}]
len(self.queue)|self.map.get({i}, 1)|self.place({i})|twice({i})|self.here({i})[1]|(self.perhaps or 0)
self.bag.count({i})|max(self.row)"""
TESTS = """\
self.flag|{i} > 0|{i} in self.members|self.queue|self.perhaps is None|self.hue is Hue.RED|self.parts[{i}].late
Part({i}, True) in self.kept|({i}, 1) in self.pairs|self.parts[0] == self.parts[{i}]|self.queue == [{i}]"""
PAIRS = """\
self.pairs|self.map.items()|DELAY.items()|NESTED[{i}].items()|zip(self.row, {xs})|enumerate({xs})
enumerate(self.queue, 1)|combinations(self.row, 2)|pairwise(self.row)|[p.both() for p in self.kept]
[(x, {i}) for x in {xs}]|sorted(self.pairs)"""


def _options(text: str) -> list[str]:
    return [option for line in text.splitlines() for option in line.split("|")]


class Writer:
    """Writes expressions and statements; `names` are those of numbers that are bound here."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.names = ["i", "j"]
        self.made = 0

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def one_of(self, text: str) -> str:
        option = self.pick(*_options(text))
        written = option.replace("{i}", self.pick(*self.names))
        return written.replace("{xs}", self.iterable(0)) if "{xs}" in written else written

    def bound(self, count: int = 1) -> list[str]:
        self.made += count
        return [f"v{self.made - k}" for k in range(count)]

    def within(self, names: list[str], write: str, depth: int) -> str:
        """A number or a test in which the names are bound."""
        self.names += names
        written = self.number(depth) if write == "number" else self.test(depth)
        del self.names[-len(names) :]
        return written

    def number(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.3:
            return self.one_of(NUMBERS)
        less, (name, other) = depth - 1, self.bound(2)
        clause = f"for {name} in {self.iterable(less)}{self.where([name], less)}"
        match self.random.randrange(9):
            case 0 | 1:
                return f"sum({self.within([name], 'number', less)} {clause})"
            case 2:
                inner = self.within([name], "number", less)
                return f"{self.pick('max', 'min')}(({inner} {clause}), default={self.number(0)})"
            case 3:
                return f"{self.pick('max', 'min')}({self.iterable(less)}, default={self.number(0)})"
            case 4:
                pairs, inner = self.one_of(PAIRS), self.within([name, other], "number", less)
                return f"sum({inner} for {name}, {other} in {pairs}{self.where([name, other], less)})"
            case 5:
                key = self.within([name], "number", less)
                return f"{self.pick('max', 'min')}({self.iterable(less)}, key=lambda {name}: {key}, default=1)"
            case 6:
                return f"len([{self.within([name], 'number', less)} {clause}])"
            case 7:
                return f"({self.number(less)} {self.pick('+', '-', '*', '% 3 -')} {self.number(less)})"
            case _:
                return f"({self.number(less)} if {self.test(less)} else {self.number(less)})"

    def where(self, names: list[str], depth: int) -> str:
        return self.pick("", f" if {self.within(names, 'test', depth)}")

    def test(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.3:
            return self.one_of(TESTS)
        less, (name,) = depth - 1, self.bound()
        match self.random.randrange(5):
            case 0 | 1:
                inner = self.within([name], "test", less)
                return f"{self.pick('any', 'all')}({inner} for {name} in {self.iterable(less)})"
            case 2:
                return f"{self.number(less)} {self.pick('in', 'not in')} {self.iterable(less)}"
            case 3:
                return f"({self.number(less)} {self.pick('<', '==', '>=')} {self.number(less)})"
            case _:
                return f"({self.test(less)} {self.pick('and', 'or')} not {self.test(less)})"

    def iterable(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.5:
            return self.one_of(ITERABLES)
        less, (name,) = depth - 1, self.bound()
        inner = self.iterable(less)
        match self.random.randrange(8):
            case 0 | 1:
                return f"[{self.within([name], 'number', less)} for {name} in {inner}{self.where([name], less)}]"
            case 2:
                return f"sorted({inner})"
            case 3:
                return f"[*{inner}, {self.number(less)}]"
            case 4:
                return f"{{{self.within([name], 'number', less)} for {name} in {inner}}}"
            case 5:
                return f"filter(lambda {name}: {self.within([name], 'test', less)}, {inner})"
            case 6:
                return f"chain({inner}, {self.iterable(less)})"
            case _:
                return f"map(twice, {inner})"

    def statement(self, depth: int) -> str:
        (name,) = self.bound()
        match self.random.randrange(5):
            case 0 | 1:
                return f"self.out = {self.number(depth)}"
            case 2:
                return f"when({self.test(depth)})"
            case 3:
                change = self.pick("self.row[{0} % 3] = {1} % 3", "self.members ^= {{{0} % 3}}", "self.out += {0}")
                changed = change.format(name, self.within([name], "number", 0))
                return f"for {name} in {self.iterable(depth)}:\n    {changed}"
            case _:
                return f"if {self.test(depth)}:\n    self.out = {self.number(depth)}"


def model(seed: int) -> str:
    """The text of a file with one model, `Random`."""
    writer, text = Writer(seed), HEAD
    for k in range(2):
        lines = "\n".join(writer.statement(writer.random.randint(1, 3)) for _ in range(writer.random.randint(1, 2)))
        body = "\n".join(f"        {line}" for line in lines.splitlines())
        text += f"\n    @transition(i=3)\n    def t{k}(self, i):\n        j = self.x\n{body}\n"
    return text
