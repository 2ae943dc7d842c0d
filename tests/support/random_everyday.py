"""Random models of the Python that people write of protocols: sets, bags and maps of records, unions and `match`,
choices, None or a number, `next`, `:=`, combinations, and transitions with indices that are no numbers."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

from hypothesis import strategies as st

HEAD = """\
from enum import Enum
from functools import reduce
from itertools import chain, combinations, pairwise, permutations, product

from operator import or_, xor

from asset import *


TABLE = ((0, 1, 2), (2, 0, 1), (1, 2, 0))
STEPS = (("a", (0, 1)), ("b", (2, 0)), ("a", (1, 1)))


class Hue(Enum):
    LIGHT = "light"
    DARK = "dark"

    def other(self):
        return Hue.DARK if self is Hue.LIGHT else Hue.LIGHT

    @property
    def weight(self):
        return 2 if self == Hue.DARK else 1


class Way(Enum):
    LEFT = (0, 1)
    RIGHT = (2, 2)


class Ask(Record):
    who: Int(0, 2)

    def after(self, k):
        return (self.who + k) % 3


class Tell(Record):
    who: Int(0, 2)
    late: bool = False

    def after(self, k):
        return self.who if self.late else k


class Crowd(Record):
    all: Set(2)
    hue: Hue


class Random(Model):
    n: int = 3

    def state(self):
        self.out = Int(-20, 60)
        self.row = Array(3, Int(0, 2))
        self.sent = Set(Ask | Tell)
        self.log = Set(Ask | Tell, at_most=3)
        self.crowds = Set(Crowd, at_most=2)
        self.stock = Bag(Tell, 2)
        self.by = Map(Hue, Tell)
        self.level = Map(3, Int(0, 2))
        self.last = Optional(Int(0, 2))
        self.one = Ask(0) | Tell(0, False)
        self.word = OneOf("idle", "busy")
        self.line = Queue(3, Int(0, 2))
        self.some = Set(3)
        self.more = Set(3)
        self.hue = Hue.DARK
        self.way = Way.LEFT
        self.tell = Tell(1, False)
        self.row[1] = {start}
        self.sent.add(Tell(1, True))

    def perhaps(self, k):
        for i, x in enumerate(self.row):
            if x == k:
                return i

    def whose(self, k):
        return {m.who for m in self.sent if m.who != k}

    def total(self, *xs):
        return sum(xs) + len(xs)

    def is_next(self, k):
        return self.line and self.line[0] == k

    @property
    def here(self):
        return self.some if self.hue == Hue.DARK else self.more

    def ready(self):
        return [m for m in self.sent if isinstance(m, Tell) and m.late]
"""

INDICES = (
    "i=3",
    'i="range(n)"',
    'i=(0, 2), w=("idle", "busy")',
    'i=2, s="subsets(2)"',
    'i=1, ab="permutations(range(3), 2)"',
)
EXTRA = {
    "w": ("self.word = w",),
    "s": ("self.out = len(s)", "self.crowds.add(Crowd(s, Hue.DARK))"),
    "ab": ("a, b = ab\nself.row[a] = b",),
}


MATCH = """\
match m:
    case Ask(k) if k != i:
        self.out = k
    case Tell(late=late) if late:
        self.out += 1
    case Tell(who=0):
        break"""

MATCH_ONE = """\
match self.one:
    case Ask(who=k):
        self.out = k
    case Tell(k, late):
        self.row[k] = late"""


MATCH_LINE = """\
match self.line:
    case [0, *{f}]:
        self.line = {f}
    case [{x}, *_, 1]:
        self.out = {x}"""


class Everyday:
    """Writes statements; `i` is a number from 0 to 2 wherever they stand."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.fresh = 0

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def one_of(self, *writers: Callable[[], str]) -> str:
        return writers[self.draw(st.integers(0, len(writers) - 1))]()

    def name(self) -> str:
        self.fresh += 1
        return f"v{self.fresh}"

    def small(self) -> str:
        return self.pick("i", "0", "2", "self.row[i]", "self.row[0]", "self.one.who", "(i + 1) % 3")

    def record(self) -> str:
        return self.pick(
            f"Ask({self.small()})", f"Tell({self.small()}, {self.test()})", f"Tell(who={self.small()})", "self.one"
        )

    def number(self) -> str:
        x, small = self.name(), self.small
        return self.one_of(
            small,
            lambda: f"sum({x}.who for {x} in self.sent if {x}.who != {small()})",
            lambda: f"max((({x}.who, {small()}) for {x} in self.log), default=(0, 0))[{self.pick('0', '1')}]",
            lambda: f"max(self.row, key=lambda {x}: ({x} - {small()}) ** 2)",
            lambda: f"sorted(self.row, key=lambda {x}: -{x})[{self.pick('0', '1', '-1')}]",
            lambda: f"sum(a * b for a, b in {self.pairs()})",
            lambda: f"len({self.pick('self.ready()', 'self.whose(i)', 'self.stock', 'self.crowds', 'self.level')})",
            lambda: f"self.level.get({small()}, {small()})",
            lambda: "sum(self.level.values())",
            lambda: f"self.stock.count(Tell({small()}, False))",
            lambda: f"sum(x * y for x, y in zip(self.row, self.row[{self.pick('1', '-2')}:]))",
            lambda: f"len(set(self.row) - {{{small()}}})",
            lambda: f"sum(len(c.all) for c in self.crowds if {small()} in c.all)",
        )

    def pairs(self) -> str:
        return self.pick(
            "combinations(self.row, 2)",
            "product(range(2), self.row)",
            "permutations(range(3), 2)",
            "pairwise(self.row)",
            "product(self.row, repeat=2)",
            "enumerate(self.row, start=1)",
            "zip(self.row, reversed(self.row))",
        )

    def test(self) -> str:
        return self.one_of(
            lambda: f"{self.small()} {self.pick('<', '==', '>=')} {self.small()}",
            lambda: f"{self.small()} in self.whose({self.small()})",
            lambda: self.pick(
                "isinstance(self.one, Ask)", "self.word == 'idle'", "self.last is None", "Hue.DARK in self.by"
            ),
            lambda: f"Tell({self.small()}, True) in {self.pick('self.sent', 'self.log', 'self.stock')}",
            lambda: f"Ask({self.small()}) in {self.pick('self.sent', 'self.log')}",
            lambda: f"all(a <= b for a, b in {self.pairs()})",
            lambda: f"(self.row[0], {self.small()}) < ({self.small()}, self.row[2])",
        )

    def statement(self) -> str:
        return self.one_of(
            *(self.change, self.change_of_rows, self.change_of_sets, self.search, self.loop, self.plain),
            *(self.chosen_place, self.member, self.of_table, self.taken, self.handed_on, self.function),
        )

    def chosen_place(self) -> str:
        """A name, or a property, for one of two parts of the state."""
        x, test = self.name(), self.test()
        return self.one_of(
            lambda: f"{x} = self.some if {test} else self.more\n{x}.{self.pick('add', 'discard')}({self.small()})",
            lambda: f"self.here.{self.pick('add', 'discard')}({self.small()})\nself.out = len(self.here)",
            lambda: f"if {test}:\n    {x} = self.some\nelse:\n    {x} = self.more\n{x} |= {{{self.small()}}}",
            lambda: f"{x}, _ = (self.some, self.more) if {test} else (self.more, self.some)\nself.out = len({x})",
            lambda: "when(i in self.here)\nself.some, self.more = self.more.copy(), self.some.copy()",
        )

    def member(self) -> str:
        """Methods and values of members of Enums, and methods of records."""
        x, y = self.name(), self.name()
        return self.one_of(
            lambda: "self.hue = self.hue.other()",
            lambda: f"self.out = self.hue.weight + self.one.who + self.tell.after({self.small()})",
            lambda: f"{x}, {y} = self.way.value\nself.row[{x}] = {y}",
            lambda: "self.way = Way.RIGHT if self.way.name == 'LEFT' else Way.LEFT",
            lambda: f"self.tell = Tell(self.tell.after({self.small()}), {self.test()})",
            lambda: f"self.out = sum({x}.weight for {x} in Hue) + ({self.test()})",
        )

    def of_table(self) -> str:
        """Rows of constant tables, and what is the first or the only element of a set."""
        x, y, some = self.name(), self.name(), self.pick("self.some", "self.more")
        return self.one_of(
            lambda: f"{x} = TABLE[{self.small()}]\nself.out = max({x}) + {x}[{self.small()}] + ((0, 1, 2) == {x})",
            lambda: f"_, ({x}, {y}) = STEPS[{self.small()}]\nself.row[{x}] = {y}",
            lambda: f"for {x}, ({y}, _) in STEPS:\n    if {x} == 'a':\n        self.out = {y} + {self.small()}",
            lambda: f"when(self.some)\nself.out = next(iter(self.some)) + {self.small()}",
            lambda: f"when(len(self.more) == 1)\n({x},) = self.more\nself.out = {x}",
            lambda: f"self.out = max((), default={self.small()}) + max({some}, default=7)",
        )

    def taken(self) -> str:
        """What is taken out is used at once; the variable of a loop is used behind it."""
        x = self.name()
        return self.one_of(
            lambda: f"self.out = self.line.{self.pick('get()', 'pop()')} + {self.small()}",
            lambda: f"if self.line.get() == {self.small()}:\n    self.out = len(self.line)",
            lambda: f"self.out = self.line.{self.pick('get()', 'pop()')} if self.line else {self.number()}",
            lambda: f"{x} = self.level.pop(i) if i in self.level else {self.small()}\nself.out = {x} * 2",
            lambda: f"for {x} in self.row:\n    if {x} > {self.small()}:\n        break\nself.out = {x}",
            lambda: (
                f"for {x} in range(3):\n    if self.row[{x}] == i:\n        break\nelse:\n    {x} = 9\nself.out = {x}"
            ),
            lambda: f"self.out += self.line.get()\nwhen(self.line.get() < {self.small()})",
        )

    def handed_on(self) -> str:
        """What `and` and `or` hand on, and keys as a set."""
        x = self.name()
        return self.one_of(
            lambda: f"self.last = self.last {self.pick('or', 'and')} self.perhaps({self.small()})",
            lambda: f"{x} = [v for v in self.line if v > {self.small()}] or [4]\nself.out = {x}[0]",
            lambda: f"when(self.is_next({self.small()}) {self.pick('or', 'and')} {self.test()})",
            lambda: f"{x} = self.some and {self.test()}\nif {x}:\n    self.out = 3",
            lambda: "self.some = self.some or {0, i}",
            lambda: f"self.out = len(self.level.keys() {self.pick('&', '-', '|')} self.some)",
            lambda: f"self.out = (self.some {self.pick('<=', '==', '>')} self.level.keys()) + self.total(*self.row, i)",
            lambda: f"self.out = self.total() + self.total(i, {self.small()})",
        )

    def function(self) -> str:
        """Local functions of several statements, and loops over plain sets whose order shows nowhere."""
        f, x, y = self.name(), self.name(), self.name()
        return self.one_of(
            lambda: f"def {f}({x}):\n    {y} = {x} + {self.small()}\n    return {y} * 2\nself.out = {f}(i) + {f}(1)",
            lambda: f"for {x} in self.whose(i):\n    self.some.add({x})",
            lambda: f"{y} = {{{self.small()}, 2}}\nfor {x} in {y}:\n    self.row[{x}] = i",
            lambda: f"for {x} in {{0, 1}} - self.whose({self.small()}):\n    self.more.discard({x})",
        )

    def change(self) -> str:
        items = self.pick("self.row", "reversed(self.row)", "sorted(self.row)")
        return self.one_of(
            lambda: f"self.out = {self.number()} - {self.number()}",
            lambda: f"self.one = {self.record()}",
            lambda: f"self.level[{self.small()}] = {self.small()}",
            lambda: f"self.level.update({{{self.small()}: {self.small()}}})",
            lambda: f"when({self.small()} in self.level)\nself.out = self.level.pop(i)",
            lambda: f"self.last = {self.pick('None', 'self.perhaps(i)', 'i', 'self.last')}",
            lambda: f"self.row = [{self.pick('x', '2 - x', 'min(x, i)')} for x in {items}]",
            lambda: f"self.out = sum(chain(self.row, [{self.small()}]))",
            lambda: f"when({self.test()})",
            lambda: f"assert {self.test()}",
        )

    def change_of_sets(self) -> str:
        return self.one_of(
            lambda: f"self.{self.pick('sent', 'log')}.{self.pick('add', 'discard')}({self.record()})",
            lambda: f"self.sent.add(Ask({self.small()}) if {self.test()} else Tell({self.small()}, {self.test()}))",
            lambda: f"self.log = {{m for m in self.log if m.who != {self.small()}}}",
            lambda: f"self.by[{self.pick('Hue.LIGHT', 'Hue.DARK')}] = Tell({self.small()}, {self.test()})",
            lambda: f"self.stock.add(Tell({self.small()}, False))",
        )

    def change_of_rows(self) -> str:
        """Queues and Maps as lists and dicts."""
        return self.one_of(
            lambda: f"self.line.{self.pick('put', 'appendleft')}({self.small()})",
            lambda: f"self.line.insert({self.pick('0', '1', '-1', '-3', '5')}, {self.small()})",
            lambda: f"del self.line[{self.pick('0', '1', '-1', '-2')}]",
            lambda: f"self.line += [{self.small()}{self.pick('', ', i')}]",
            lambda: f"self.line.{self.pick('sort()', 'reverse()', 'sort(key=lambda v: -v)')}",
            lambda: f"self.row.{self.pick('sort(reverse=True)', 'reverse()')}",
            lambda: f"self.line = {self.pick('self.line[1:]', '[*self.line, 1]', '[0] + self.line + [i]')}",
            lambda: f"self.level |= {{{self.small()}: {self.small()}}}",
            lambda: f"self.out = self.level.setdefault({self.small()}, {self.small()})",
            lambda: f"self.level = {{**self.level, {self.small()}: {self.small()}}}",
            lambda: f"self.some {self.pick('|', '-', '^', '&')}= {{{self.small()}, {self.small()}}}",
            lambda: f"self.some.{self.pick('update', 'difference_update')}({self.pick('self.row', 'self.line')})",
        )

    def plain(self) -> str:
        """Small functions, parts of rows, and fractions."""
        f, x = self.name(), self.name()
        row, by = self.pick("self.row", "self.line"), self.pick("xor", "or_", "max", "lambda a, b: 2 * a - b")
        return self.one_of(
            lambda: f"{f} = lambda v: v + {self.small()}\nself.out = {f}(i) + sum({f}(w) for w in {row})",
            lambda: f"self.out = reduce({by}, {row})",
            lambda: f"self.some = reduce(or_, [{{v, 0}} for v in {row}], {{i}})",
            lambda: f"{x}, *{f} = {row}\nself.out = {x} + len({f})",
            lambda: f"when({self.number()} {self.pick('<', '>=', '>', '<=')} self.n / 2)",
            lambda: MATCH_LINE.format(f=f, x=x),
        )

    def search(self) -> str:
        """What is found, or None."""
        x, default = self.name(), self.pick("None", "0", "i")
        return self.one_of(
            lambda: f"{x} = self.perhaps({self.small()})\nself.out = -1 if {x} is None else {x}",
            lambda: f"{x} = next((k for k in self.row if k > {self.small()}), {default})\nself.last = {x}",
            lambda: f"{x} = next((m for m in self.sent if m.who > {self.small()}), None)\nself.out = {x} is None",
            lambda: f"self.out = next(6 // k for k in self.row if k != {self.small()})",
            lambda: f"if ({x} := self.row[i]) > {self.small()} and {x} != {self.small()}:\n    self.out = {x}",
        )

    def loop(self) -> str:
        return self.one_of(
            lambda: f"for a, b in {self.pairs()}:\n    self.row[{self.pick('0', '1')}] = (a + b + self.row[2]) % 3",
            lambda: f"for m in self.{self.pick('sent', 'log')}:\n{indent(MATCH, '    ')}",
            lambda: MATCH_ONE,
        )

    def choosing(self) -> str:
        return self.pick(
            "m = choose(self.sent)\nself.sent.remove(m)\nself.one = m",
            "k = choose(range(2))\nself.row[i] = k",
            "k = choose(1, 2) if self.last is None else 0\nself.row[i] = k",
            "self.row[i] = self.row[0] or choose(1, 2)",
            "m = choose(self.stock)\nself.stock.remove(m)\nself.out = m.who",
            "when(isinstance(self.one, Tell))\nif choose(True, False):\n    self.sent.add(self.one)",
        )

    def block(self) -> str:
        lines = [self.statement() for _ in range(self.draw(st.integers(1, 2)))]
        if self.draw(st.booleans()):
            lines.append(
                f"if {self.test()}:\n{indent(self.statement(), '    ')}\nelse:\n{indent(self.statement(), '    ')}"
            )
        return "\n".join(lines)


def method(head: str, body: str, decorator: str) -> str:
    return f"\n    @{decorator}\n    def {head}:\n{indent(body, '        ')}\n"


@st.composite
def models(draw: st.DrawFn) -> str:
    """The text of a file with one model, `Random`."""
    writer = Everyday(draw)
    start = writer.pick("2", "choose(range(3))", "choose(0, 2)")
    parts = [HEAD.replace("{start}", start)]
    for number in range(draw(st.integers(2, 3))):
        indices = writer.pick(*INDICES)
        extra = [name for name in EXTRA if f"{name}=" in indices]
        body = "\n".join([*(writer.pick(*EXTRA[name]) for name in extra), writer.block()])
        parts.append(method(f"t{number}({', '.join(['self', 'i', *extra])})", body, f"transition({indices})"))
    parts.append(method("chooses(self, i)", writer.choosing(), "transition(i=3)"))
    parts.append(
        method(
            "change(self, i)", "self.row[i] = (self.row[i] + 1) % 3\nself.sent ^= {Tell(i, True)}", "transition(i=3)"
        )
    )
    if start == "2" and writer.pick("yes", "no") == "yes":
        parts.append(method("begins(self)", "return self.last is None or self.last > 0", "initial"))
    parts.append(method("holds(self)", f"i = 1\nreturn {writer.test()}", "invariant"))
    return "".join(parts)
