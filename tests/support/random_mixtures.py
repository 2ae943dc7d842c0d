"""Random models of everything that the language takes: compound state that transitions, processes, helpers and methods
of records change, in branches, loops and matches, with folds, choices and properties.

The parts are those of `random_compounds`; here they are put under control flow. `i` is a number wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

from hypothesis import strategies as st
from random_collections import Listing
from random_compounds import HEAD, Kind, Writer, kinds
from random_names import CONSTANTS, HELPERS, STATE, Naming

IMPORTS = "from asset import Bits, choose, invariant, may_progress, process, terminal\n"


class Mixture(Writer):
    """Writes blocks of statements about `self.u` and `self.v`, two places of one kind."""

    def __init__(self, draw: st.DrawFn, kind: Kind) -> None:
        super().__init__(draw)
        self.kind = kind
        self.fresh = 0
        self.listing = Listing(draw)
        self.naming = Naming(draw)
        self.is_process = False  # a process does not assign to its index

    def one_of(self, *options: str | Callable[[], str]) -> str:
        """One of the options; those that are made by further choices are functions."""
        option = options[self.draw(st.integers(0, len(options) - 1))]
        return option if isinstance(option, str) else option()

    def name(self) -> str:
        self.fresh += 1
        return f"k{self.fresh}"

    def number(self) -> str:
        """A number that is read of the state; one of a few small ones."""
        read = self.numbers
        return self.one_of(
            "i",
            "self.out % 3",
            "self.row[i % 2]",
            lambda: self.pick(*read(self.kind, "self.u")),
            lambda: f"({self.listing.number()})",
            self.naming.number,
        )

    def test(self) -> str:
        return self.one_of(
            self.comparison,
            lambda: f"not {self.comparison()}",
            lambda: f"{self.comparison()} {self.pick('and', 'or')} {self.number()}",
            lambda: f"0 <= {self.number()} < 2",
            lambda: f"{self.number()} in (0, 2)",
            self.naming.test,
        )

    def comparison(self) -> str:
        return f"{self.number()} {self.pick('==', '!=', '<', '>=')} {self.number()}"

    def fold(self) -> str:
        name = self.name()
        source = self.pick("range(3)", "self.row", "(2, 0, 1)", "Colour", "range(self.out % 4)", "reversed(self.row)")
        clause = f"for {name} in {source}{self.pick('', f' if {name} != i')}"
        function = self.pick("sum", "any", "all", "min", "max")
        if function in ("min", "max"):
            return f"{function}(({name} + i {clause}), default=1)"
        return f"{function}({name} * {name} > i {clause})"

    def plain(self) -> str:
        return self.one_of(
            lambda: self.statement(self.kind, "self.u"),
            lambda: self.statement(self.kind, "self.u"),
            lambda: f"self.out = {self.fold()}",
            self.listing.block,
            self.naming.statement,
            self.naming.statement,
            lambda: f"self.out = {self.listing.number()}",
            lambda: f"self.row[{self.pick('0', 'i % 2')}] = {self.number()} % 3",
            lambda: f"self.act({self.pick('i', '1', 'self.row[0]')})",
            "self.poke(self.u, i)",
            lambda: f"when({self.test()})",
            lambda: f"assert {self.test()}",
        )

    def block(self, depth: int = 0) -> str:
        return "\n".join(self.compound(depth) for _ in range(self.draw(st.integers(1, 2))))

    def inner(self, depth: int) -> str:
        return indent(self.block(depth + 1), "    ")

    def compound(self, depth: int) -> str:
        if depth >= 2 or self.draw(st.booleans()):
            return self.plain()
        match self.draw(st.integers(0, 5)):
            case 0:
                return f"if {self.test()}:\n{self.inner(depth)}"
            case 1:
                return f"if {self.test()}:\n{self.inner(depth)}\nelse:\n{self.inner(depth)}"
            case 2:
                source = self.pick("range(2)", "self.row", "(2, 0)", "range(self.row[0], -1, -1)")
                leave = self.one_of("", lambda: f"\n    if {self.test()}:\n        {self.pick('break', 'continue')}")
                return f"for {self.name() if self.is_process else 'i'} in {source}:{leave}\n{self.inner(depth)}"
            case 3:
                name = self.name()
                return f"{name} = 0\nwhile {name} < 2:\n    {name} += 1\n{self.inner(depth)}"
            case 4:
                subject = self.pick("self.row[0]", "i", "self.out % 3")
                other = f"    case n if n > {self.number()}:\n        self.out = n\n    case _:\n{self.shifted(depth)}"
                return f"match {subject}:\n    case 0 | 1:\n{self.shifted(depth)}\n{other}"
            case _:
                first, second = self.name(), self.name()
                return f"{first}, {second} = {self.number()}, {self.number()}\nself.out = {first} - {second}"

    def shifted(self, depth: int) -> str:
        return indent(self.inner(depth), "    ")

    def process(self) -> str:
        """The body of a process: a step may be any block; local variables and choices live across yields."""
        self.is_process, parts = True, ["k = 0"]
        for _ in range(self.draw(st.integers(1, 3))):
            parts.append(
                self.one_of(
                    "k = choose(0, 1, 2)\nyield",
                    lambda: f"if choose(True, False):\n{self.inner(0)}\nyield",
                    lambda: f"{self.block(1)}\nyield",
                    lambda: f"for k in range(2):\n{self.inner(0)}\n    yield",
                    lambda: f"while {self.test()}:\n    yield 'there'\n{self.inner(0)}",
                    "yield from self.pause(i)",
                    "self.out = k\nyield",
                )
            )
        self.is_process = False
        return "\n".join(parts)


def method(head: str, body: str, decorator: str = "") -> str:
    lines = [f"    {decorator}"] if decorator else []
    return "\n".join([*lines, f"    def {head}:", indent(body, "        "), ""])


@st.composite
def models(draw: st.DrawFn) -> str:
    """The text of a file with one model, `Random`."""
    kind = draw(kinds(2))
    writer = Mixture(draw, kind)
    head = IMPORTS + CONSTANTS + HEAD.replace("{shape}", kind.text)
    row = "        self.row = Array(2, Int(0, 2))\n"
    parts = [head.replace(row, row + STATE.lstrip("\n")), HELPERS]
    parts.append(method("act(self, i)", writer.statement(kind, "self.u")))
    parts.append(method("poke(self, it, i)", writer.pick(*writer.changes(kind, "it"), "self.out = 1")))
    parts.append(method("pause(self, i)", "when(self.row[i % 2] < 2)\nself.row[i % 2] += 1\nyield"))
    for number in range(draw(st.integers(1, 3))):
        parts.append(method(f"t{number}(self, i)", writer.block(), "@transition(i=3)"))
    parts.append(method("chooses(self, i)", writer.naming.choosing(), "@transition(i=3)"))
    if draw(st.booleans()):
        parts.append(method("worker(self, i)", writer.process(), "@process(i=2)"))
    for kind_of_property in ("invariant", "terminal", "may_progress"):
        body = f"i = {writer.pick('0', '1')}\nreturn {writer.test()}"
        parts.append(method(f"p_{kind_of_property}(self)", body, f"@{kind_of_property}"))
    return "\n".join(parts)
