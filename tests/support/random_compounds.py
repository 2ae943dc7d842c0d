"""Random models whose state is two variables, `u` and `v`, of one random shape: compound types nested in each other.

Each statement does something with `u` or with a part of it: every operation of every type, with `v` as another value of
the same shape. Numbers that are read go to `out`, so that a wrong one makes a different state.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent

from hypothesis import strategies as st

HEAD = """\
from enum import IntEnum

from asset import Array, Bag, Int, Map, Model, Optional, Queue, Record, Set, transition, when


class Colour(IntEnum):
    RED = 1
    GREEN = 2
    BLUE = 5


class Pair(Record):
    first: int
    second: int

    def take(self, other):
        self.first = other.first

    def exchange(self):
        old = self.copy()
        self.first = old.second
        self.second = old.first

    def alike(self, other):
        return self.first == other.first

    def rest(self):
        return self.second


def same(one, other):
    return one == other


class Point(Record):
    a: Int(0, 2)
    b: bool


class Mark(Record):
    a: Optional(Int(1, 2))


class Random(Model):
    def state(self):
        self.u = {shape}
        self.v = {shape}
        self.out = Int(-9, 99)
        self.row = Array(2, Int(0, 2))

    def flip(self):
        self.row[1] = 1 - self.row[1]
        return self.row[1]

"""

SCALARS = ("Int(0, 2)", "Int(2, 4)", "False", "Colour.GREEN")
DOMAINS = {
    "3": ("0", "1", "2", "i", "3", "self.row[i]", "self.flip()"),
    "Colour": ("Colour.RED", "Colour.BLUE", "i"),
    "(2, bool)": ("(1, True)", "(i, i == 1)", "(self.row[1], self.flip() == 1)"),
    "Point": ("Point(1, True)", "Point(i, i == 1)", "Point(self.row[0], False)", "Point(3, True)"),
    "Point | Mark": ("Point(1, True)", "Mark(i)", "Mark(None)", "Point(i, False)", "Mark(2)"),
    "((2, Colour), 2)": ("((1, Colour.RED), 1)", "((i, Colour.BLUE), self.row[1])"),
}
READ = {
    "(2, bool)": "x[0]",
    "Point": "x.a",
    "Point | Mark": "int(x == Point(1, True)) + 2 * isinstance(x, Mark)",
    "((2, Colour), 2)": "x[0][0]",
}
"""A number of an element x of a set over the domain."""


@dataclass(frozen=True)
class Kind:
    """A shape: its declaration, its items, and the domain of its keys."""

    name: str
    items: tuple[Kind, ...] = ()
    domain: str = ""

    @property
    def text(self) -> str:
        items = ", ".join(item.text for item in self.items)
        match self.name:
            case "Array":
                return f"Array(2, {items})"
            case "Queue":
                return f"Queue(2, {items})"
            case "Pair":
                return f"Pair({items})"
            case "Optional":
                return f"Optional({items})"
            case "tuple":
                return f"({items},)"
            case "Set":
                return f"Set({self.domain})"
            case "Few":
                return f"Set({self.domain}, at_most=2)"
            case "Bag":
                return f"Bag({self.domain}, 2)"
            case "Map":
                return f"Map({self.domain}, {items})"
            case _:
                return self.name

    @property
    def is_scalar(self) -> bool:
        return self.name in SCALARS


@st.composite
def kinds(draw: st.DrawFn, depth: int = 3) -> Kind:
    if depth == 0:
        return Kind(draw(st.sampled_from(SCALARS)))
    name = draw(st.sampled_from(("scalar", "Array", "Queue", "Pair", "Optional", "tuple", "Set", "Few", "Bag", "Map")))
    inner = kinds(depth - 1) if name not in ("Set", "Few", "Bag") else st.nothing()
    domain = draw(st.sampled_from(list(DOMAINS)))
    match name:
        case "scalar":
            return Kind(draw(st.sampled_from(SCALARS)))
        case "Pair" | "tuple":
            return Kind(name, (draw(inner), draw(inner)))
        case "Set" | "Few" | "Bag":
            return Kind(name, (), domain)
        case _:
            return Kind(name, (draw(inner),), domain)


class Writer:
    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def value(self, kind: Kind) -> str | None:
        """A value of the shape written out, where that is possible."""
        match kind.name:
            case "Int(0, 2)" | "Int(2, 4)":
                return self.pick("2", "i", "i + 1", "self.row[i]", "self.flip()")
            case "False":
                return self.pick("True", "(i == 1)")
            case "Colour.GREEN":
                return self.pick("Colour.RED", "Colour.BLUE")
            case "Pair" | "tuple":
                parts = [self.value(item) for item in kind.items]
                if None in parts:
                    return None
                return f"{'Pair' if kind.name == 'Pair' else ''}({', '.join(p for p in parts if p)})"
            case "Optional":
                return self.pick("None", self.value(kind.items[0]) or "None")
            case "Array":
                first, second = self.value(kind.items[0]), self.value(kind.items[0])
                return None if first is None or second is None else f"[{first}, {second}]"
            case "Set" | "Few":
                return f"{{{self.key(kind)}}}"
            case _:
                return None

    def key(self, kind: Kind) -> str:
        return self.pick(*DOMAINS[kind.domain])

    # --- statements -------------------------------------------------------------------------------------------------

    def statement(self, kind: Kind, place: str) -> str:
        """Something that is done with a place, or with a part of it."""
        options = [f"{place} = {place.replace('self.u', 'self.v')}"] if kind.name != "Array" else []
        value = self.value(kind)
        if value is not None:
            options.append(f"{place} = {value}")
        options += self.changes(kind, place)
        if place == "self.u" and self.draw(st.booleans()):
            change = self.pick(*self.changes(kind, place), "self.v = self.u" if kind.name != "Array" else "pass")
            return f"name = {place}\n{change}\nself.out = {self.pick(*self.numbers(kind, 'name'))}"
        options += [f"self.out = {number}" for number in self.numbers(kind, place)]
        options += self.parts(kind, place)
        return self.pick(*options)

    def changes(self, kind: Kind, place: str) -> list[str]:
        other = place.replace("self.u", "self.v")
        match kind.name:
            case "Set" | "Few":
                operator = self.pick("|", "&", "-", "^")
                number = READ.get(kind.domain, "x")
                return [
                    f"{place}.{self.pick('add', 'discard', 'remove')}({self.key(kind)})",
                    f"{place}.clear()",
                    f"{place} {operator}= {other}",
                    f"{place} = {place} {operator} {other}",
                    f"for x in {place}:\n    {place}.discard(x)\n    self.out = {number}",
                    f"old = {place}.copy()\n{place}.clear()\nself.out = len(old)",
                ]
            case "Bag":
                return [f"{place}.{self.pick('add', 'add', 'discard', 'remove')}({self.key(kind)})", f"{place}.clear()"]
            case "Map":
                key = self.key(kind)
                value = self.value(kind.items[0])
                some = [] if value is None else [f"{place}[{key}] = {value}"]
                read = self.pick(*self.numbers(kind.items[0], "m"))
                taken = f"m = {place}.pop({key})"
                held = [f"{taken}\n{change}\nself.out = {read}" for change in some]
                return [*some, *held, f"{taken}\nself.out = {read}", f"del {place}[{key}]", f"{place}.clear()"]
            case "Queue":
                return self.queue_changes(kind, place)
            case "Pair":
                first, second = kind.items
                taken = [f"{place}.take({other})"] if first.name != "Array" else []
                turned = [f"{place}.exchange()"] if first == second and first.name != "Array" else []
                read = self.pick(*self.numbers(second, "m"))
                return [*taken, *turned, f"m = {place}.rest()\nself.out = {read}"]
            case _:
                return []

    def queue_changes(self, kind: Kind, place: str) -> list[str]:
        item = kind.items[0]
        value = self.value(item)
        put = [] if value is None else [f"{place}.put({value})", f"when(not {place}.full())\n{place}.put({value})"]
        read = self.pick(*self.numbers(item, "m"))
        return [
            *put,
            f"{place}.get()",
            f"{place}.get(i)",
            f"m = {place}.get()\nself.out = {read}",
            *(f"m = {place}.{self.pick('get', 'peek', 'pop')}()\n{change}\nself.out = {read}" for change in put),
            f"m = {place}.peek()\n{place}.clear()\nself.out = {read}",
            f"for m in {place}:\n    self.out = {read}" + self.pick("", f"\n    {place}.clear()"),
            f"{place}.clear()",
        ]

    def parts(self, kind: Kind, place: str) -> list[str]:
        match kind.name:
            case "Array":
                index = self.pick("0", "1", "i")
                rest = f"row = {place}[{index}]\n{self.statement(kind.items[0], f'{place}[{index}]')}"
                return [self.statement(kind.items[0], f"{place}[{index}]"), rest]
            case "Pair":
                part = self.draw(st.integers(0, 1))
                return [self.statement(kind.items[part], f"{place}.{('first', 'second')[part]}")]
            case "Map" if not kind.items[0].is_scalar:
                return [self.statement(kind.items[0], f"{place}[{self.key(kind)}]")]
            case _:
                return []

    # --- expressions ------------------------------------------------------------------------------------------------

    def numbers(self, kind: Kind, place: str) -> list[str]:
        """Numbers that can be read of the value."""
        other = place.replace("self.u", "self.v") if place.startswith("self.") else place
        value = self.value(kind)
        equal = [f"int({place} == {other})", f"int(same({place}, {other}))" if place.startswith("self.") else "1"]
        if value is not None:
            equal.append(f"int({place} {self.pick('==', '!=')} {value})")
        if kind.is_scalar:
            return [f"int({place})", *equal]
        truth = [] if kind.name == "Array" else [f"1 if {place} else 0"]
        return [*equal, *truth, *self.contents(kind, place, other)]

    def contents(self, kind: Kind, place: str, other: str) -> list[str]:
        match kind.name:
            case "Set" | "Few" | "Bag" | "Map":
                key = self.key(kind)
                found = [f"len({place})", f"int({key} in {place})", f"sum(1 for x in {place})"]
                if kind.name == "Set":
                    found += [f"int({place} {self.pick('<=', '<', '>=', '>')} {other})", f"len({place} | {other})"]
                    found += [f"int({place}.{self.pick('issubset', 'issuperset', 'isdisjoint')}({other}))"]
                if kind.name == "Few":
                    found += [f"int({place} {self.pick('<=', '<', '>=', '>')} {other})", f"len({place} | {other})"]
                read = READ.get(kind.domain, "x")
                found += [f"sum({read} for x in {place})", f"len({{{read} for x in {place}}})"]
                found += [f"max([{read} for x in {place}], default=4)"]
                if kind.name == "Bag":
                    found += [f"{place}.count({key})"]
                if kind.name == "Map":
                    found += self.numbers(kind.items[0], f"{place}[{key}]")
                    found += [f"int({place}.get({key}, 7))"] if kind.items[0].is_scalar else []
                    value = self.value(kind.items[0])
                    found += [] if value is None else [f"int({value} in {place}.values())"]
                return found
            case "Queue":
                item = kind.items[0]
                value = self.value(item)
                found = [f"len({place})", f"int({place}.full()) + 2 * {place}.empty()"]
                found += [] if value is None else [f"int({value} in {place})"]
                found += self.numbers(item, f"{place}.peek()") + self.numbers(
                    item, f"{place}[{self.pick('0', '1', 'i')}]"
                )
                return [*found, f"sum({self.pick(*self.numbers(item, 'm'))} for m in {place})"]
            case "Array":
                item = kind.items[0]
                found = self.numbers(item, f"{place}[{self.pick('0', '1', 'i')}]")
                return [*found, f"sum({self.pick(*self.numbers(item, 'm'))} for m in {place})"]
            case "Pair":
                parts = self.numbers(kind.items[0], f"{place}.first") + self.numbers(kind.items[1], f"{place}.second")
                return [*parts, f"int({place}.alike({other}))"]
            case "tuple":
                return self.numbers(kind.items[0], f"{place}[0]") + self.numbers(kind.items[1], f"{place}[1]")
            case _:
                inner = [] if kind.items[0].name == "Optional" else self.numbers(kind.items[0], place)
                return [f"int({place} is {self.pick('None', 'not None')})", *inner]


@st.composite
def models(draw: st.DrawFn) -> str:
    """The text of a file with one model, `Random`."""
    kind = draw(kinds())
    parts = [HEAD.replace("{shape}", kind.text)]
    writer = Writer(draw)
    for number in range(draw(st.integers(2, 5))):
        body = indent("\n".join(writer.statement(kind, "self.u") for _ in range(draw(st.integers(1, 2)))), "        ")
        parts.append(f"    @transition(i=3)\n    def t{number}(self, i):\n{body}\n")
    parts.append(
        "    @transition\n    def keep(self):\n        self.v = self.u\n"
        if kind.name != "Array"
        else "    @transition\n    def keep(self):\n        self.out = 0\n"
    )
    return "\n".join(parts)
