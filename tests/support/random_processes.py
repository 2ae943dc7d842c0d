"""Random models in which there is something to reduce: a few processes that share little and may come to an end.

A model is made from a *tape* of numbers; each choice takes the next one, and 0 where the tape has ended. So short tapes
and small numbers make simple models, which is what Hypothesis shrinks to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import indent

HEAD = """\
from enum import IntEnum

from asset import Array, Int, Model, invariant, may_progress, terminal, transition, when


class Colour(IntEnum):
    RED = 0
    GREEN = 2
    BLUE = 5


COSTS = (2, 0, 1)


class Random(Model):
    def state(self):
        self.pc = Array(2, Int(0, 3))
        self.x = Int(0, 2)
        self.y = Int(-1, 2, 1)
        self.flag = False
        self.at = Int(0, 2, 1)
        self.cell = Array(3, Int(0, 2))
        self.colour = Colour.RED

    def busy(self, i):
        return self.pc[i] in (1, 2)

    def bump(self, i, by=1):
        self.cell[i] = (self.cell[i] + by) % 3
        return self.cell[i] == 0
"""


class Tape:
    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = list(reversed(numbers))

    def below(self, bound: int) -> int:
        return self.numbers.pop() % bound if self.numbers else 0

    def pick(self, *options: str | Callable[[], str]) -> str:
        """One of the options; those that are made by further choices are functions."""
        option = options[self.below(len(options))]
        return option if isinstance(option, str) else option()


class Writer:
    """Writes pieces of a model; `i` is the index of the transition's family, and readable everywhere."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.pick = tape.pick
        self.below = tape.below

    def number(self) -> str:
        return self.pick("0", "1", "2")

    def target(self) -> str:
        """Something that can be assigned to."""
        return self.pick(
            "self.x", "self.cell[i]", "self.cell[0]", "self.cell[self.at]", "self.at", "self.y", "self.cell[self.x]"
        )

    def place(self) -> str:
        """Something that can be read."""
        return self.pick(
            "self.x",
            "self.cell[i]",
            "self.cell[0]",
            "self.cell[self.at]",
            "self.at",
            "self.y",
            "self.pc[1 - i]",
            "self.cell[self.x]",
            "self.cell[abs(self.y)]",
        )

    def value(self) -> str:
        return self.pick(
            lambda: self.number(),
            lambda: self.place(),
            lambda: f"{self.place()} + 1",
            lambda: f"({self.place()} + {self.number()}) % 3",
            lambda: f"{self.place()} - {self.place()}",
            lambda: f"COSTS[{self.pick('self.x', 'self.at', 'i')}]",
            lambda: f"max({self.place()}, {self.place()})",
            "sum(self.cell) // 2",
            lambda: f"{self.place()} * {self.place()}",
            lambda: f"({self.number()} if {self.simple()} else {self.place()})",
        )

    def simple(self) -> str:
        return self.pick(
            lambda: f"{self.place()} == {self.number()}",
            "self.flag",
            lambda: f"{self.place()} {self.pick('<', '!=', '>=', '==')} {self.place()}",
            "self.colour == Colour.GREEN",
            lambda: f"self.busy({self.pick('i', '0', '1')})",
            "self.colour != Colour.RED",
        )

    def test(self) -> str:
        return self.pick(
            lambda: self.simple(),
            lambda: f"not {self.simple()}",
            lambda: f"({self.simple()} and {self.simple()})",
            lambda: f"({self.simple()} or {self.simple()})",
            lambda: f"any(c == {self.number()} for c in self.cell)",
            lambda: f"sum(c > {self.number()} for c in self.cell) {self.pick('<=', '==', '>')} {self.number()}",
            lambda: f"all(c < p for c in self.cell for p in {self.pick('range(self.x, 3)', 'self.pc')})",
        )

    def statement(self, depth: int = 0) -> str:
        kinds = 7 if depth > 1 else 11
        match self.below(kinds):
            case 0:
                return f"{self.target()} = {self.number()}"
            case 1:
                return f"{self.target()} = {self.pick('self.x', 'self.cell[i]', 'self.cell[self.at]', 'self.at')}"
            case 2:
                return f"self.flag = {self.pick('True', 'False', 'not self.flag')}"
            case 3:
                return f"{self.target()} = ({self.value()}) % 3"
            case 4:
                return f"self.colour = Colour.{self.pick('RED', 'GREEN', 'BLUE')}"
            case 5:
                return self.pick(
                    "self.bump(i)", "self.x = 1 - self.bump(2, 2)", lambda: f"{self.target()} = {self.value()}"
                )
            case 6:
                return self.pick(
                    lambda: f"{self.target()} ^= 1", "self.y = min(self.y + 1, 2)", lambda: f"{self.target()} += 1"
                )
            case 7:
                other = f"\nelse:\n{self.block(depth + 1)}" if self.below(2) else ""
                return f"if {self.test()}:\n{self.block(depth + 1)}{other}"
            case 8:
                return f"for c in {self.pick('range(2)', 'range(self.x)', 'self.cell')}:\n{self.block(depth + 1)}"
            case 9:
                count, bound = f"n{depth}", self.pick("self.x", "2", "self.at")
                return f"{count} = 0\nwhile {count} < {bound}:\n    {count} += 1\n{self.block(depth + 1)}"
            case _:
                return self.pick(lambda: f"when({self.test()})", lambda: f"assert {self.test()}", "return")

    def block(self, depth: int) -> str:
        return indent("\n".join(self.statement(depth) for _ in range(1 + self.below(2))), "    ")

    def body(self, number: int) -> str:
        """Guards and assignments; most bodies move their program counter on, so that runs end."""
        lines = []
        kind = self.below(4)
        step = self.below(3) if self.below(4) == 3 else (0, 1, 0, 2)[number % 4]
        if kind < 3:
            lines.append(f"when(self.pc[i] == {step})")
        if self.below(3) == 2:
            lines.append(f"when({self.test()})")
        lines += [self.statement() for _ in range(self.below(3))]
        if kind < 3:
            lines.append(f"self.pc[i] = {step + 1 if kind < 2 else self.below(4)}")
        elif not self.below(3):
            lines += ["when(not self.flag)", "self.flag = True"]
        return indent("\n".join(lines or ["when(False)"]), "        ")

    def fire_body(self, first: int) -> str:
        """The same as a part of fire_transition: False where disabled."""
        step, kind = first % 2, self.below(4)
        lines = [f"i = {self.below(2)}" if self.below(2) else f"i = (t + {first}) % 2"]
        lines += [f"if self.pc[i] != {step}:\n    return False"] if kind else []
        lines += [f"if not ({self.test()}):\n    return False"] if self.below(3) == 2 else []
        lines += [self.statement(2) for _ in range(1 + self.below(2))]
        lines += [f"self.pc[i] = {step + 1}"] if kind else []
        lines += [self.pick("return True", lambda: f"return {self.simple()}") if self.below(8) == 7 else "return True"]
        return indent("\n".join(lines), "            ")


def decorated(writer: Writer) -> str:
    parts = []
    for number in range(2 + writer.below(3)):
        index = writer.pick("range(2)", "range(2)", "range(1)", "range(1, 2)")
        parts.append(f"    @transition(i={index})\n    def t{number}(self, i):\n{writer.body(number)}\n")
    return "\n".join(parts)


def numbered(writer: Writer) -> str:
    count = 3 + writer.below(3)
    lines = [f"    def nr_transitions(self):\n        return {count}\n", "    def fire_transition(self, t):"]
    for number in range(count - 1):
        lines.append(f"        if t == {number}:\n{writer.fire_body(number)}")
    lines.append(f"        if t >= {count - 1}:\n{writer.fire_body(count)}\n        return False\n")
    return "\n".join(lines)


def passing(writer: Writer) -> str:
    """Something that is false in the beginning and may be true for a while."""
    step = writer.pick("1", "2", "3")
    return writer.pick(
        f"self.pc[0] == {step}",
        f"self.pc[1] == {step}",
        lambda: f"self.x == {writer.pick('1', '2')}",
        "self.flag",
        lambda: f"self.cell[{writer.number()}] > 0",
        lambda: f"self.cell[{writer.number()}] == self.pc[0] + 1",
        "self.colour == Colour.GREEN",
        "self.at != 1",
    )


def invariant(writer: Writer) -> str:
    return writer.pick(
        lambda: f"not ({passing(writer)} and {passing(writer)})",
        lambda: f"not ({passing(writer)})",
        lambda: f"sum(p == {writer.pick('1', '2')} for p in self.pc) <= {writer.pick('1', '0')}",
        "self.x + self.pc[0] + self.pc[1] < 3",
        lambda: f"sum(self.cell) + self.x < {writer.pick('2', '3', '4')}",
        lambda: f"{passing(writer)} or self.pc[0] <= self.pc[1]",
        "self.cell[self.x - self.pc[0] + 1] < 3",
    )


def invariants(writer: Writer, style: int) -> str:
    tests = [invariant(writer) for _ in range(1 + writer.below(2))]
    if style:
        checks = "".join(f"        if not ({test}):\n            return 'wrong'\n" for test in tests)
        return f"    def check_state(self):\n{checks}        return None\n"
    return "\n".join(f"    @invariant\n    def p{k}(self):\n        return {test}\n" for k, test in enumerate(tests))


def model(numbers: Sequence[int]) -> str:
    """The text of a file with one model, `Random`."""
    writer = Writer(Tape(numbers))
    style = writer.below(4) == 3
    transitions = numbered(writer) if style else decorated(writer)
    return "\n".join([HEAD, transitions, invariants(writer, style)])
