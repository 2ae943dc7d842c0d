"""Random models, as the text of a Python file: arrays, enums, helpers, loops, match, generator expressions, faults.

They have properties of every kind, recurrences, and rules and representatives that need not be correct, as engines must
agree on those as well.

The state is small so that every model has few states, and most expressions stay in range so that not every model ends
in a fault at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent

from hypothesis import assume
from hypothesis import strategies as st

from asset import ModelRejected
from asset.frontends.python import compile_model, load

HEAD = """\
from enum import IntEnum

from asset import Array, Int, Model, choose, initial, invariant, may_progress, must_progress, obligations, recurrent
from asset import stb, stb_all, subsets, terminal, transition, when


class Colour(IntEnum):
    RED = 0
    GREEN = 1
    BLUE = 3


WEIGHTS = (2, 0, 1, 5)


def clamp(value, most):
    if value < 0:
        return 0
    return most if value > most else value


class Random(Model):
    n: int = 3

    def state(self):
        self.flag = False
        self.count = Int(0, 3)
        self.signed = Int(-2, 2, 1)
        self.colour = Colour.GREEN
        self.level = Array(self.n, Int(0, 2))
        self.grid = Array(2, Array(2, False))
        self.level[1] = 2
        CHOSEN

    def helper(self, i, j=1):
        if self.level[i % self.n] > j:
            self.count = clamp(self.count + 1, 3)
            return i + j
        return j

    @property
    def total(self):
        return sum(self.level)
"""


@dataclass
class Scope:
    """The local names that are readable here, and whether code here may change the state or `break`."""

    names: list[str] = field(default_factory=list)
    pure: bool = False
    in_loop: bool = False
    depth: int = 0

    def inside(self, *names: str, in_loop: bool | None = None) -> Scope:
        looping = self.in_loop if in_loop is None else in_loop
        return Scope([*self.names, *names], self.pure, looping, self.depth + 1)


class Writer:
    """Draws expressions and statements."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.fresh = 0

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def name(self) -> str:
        self.fresh += 1
        return f"v{self.fresh}"

    # --- expressions --------------------------------------------------------------------------------------------

    def atom(self, scope: Scope) -> str:
        options = ["0", "1", "2", "self.n", "self.flag", "self.count", "self.signed", "self.colour"]
        options += ["Colour.BLUE", "len(self.level)", "self.level[0]", "self.grid[1][0]", "self.total", "WEIGHTS[2]"]
        return self.pick(*options, *scope.names, *scope.names)

    def index(self, scope: Scope, size: int) -> str:
        """An index that is mostly in bounds."""
        if self.draw(st.integers(0, 15)) == 0:
            return self.expr(scope.inside())
        return f"{self.expr(scope.inside())} % {size}" if scope.depth < 4 else str(size - 1)

    def expr(self, scope: Scope) -> str:
        if scope.depth >= 4:
            return self.atom(scope)
        deeper = scope.inside()
        match self.draw(st.integers(0, 17)):
            case 0 | 1 | 2 | 3 | 4:
                return self.atom(scope)
            case 5 | 6:
                return f"({self.expr(deeper)} {self.pick('+', '-', '*', '&', '|', '^')} {self.expr(deeper)})"
            case 7:
                return f"({self.expr(deeper)} {self.pick('//', '%')} {self.pick('2', '3', '-2', self.expr(deeper))})"
            case 8:
                return f"({self.expr(deeper)} {self.pick('<<', '>>')} {self.pick('1', '2', self.expr(deeper))})"
            case 9:
                return f"({self.pick('-', '~', 'abs')}({self.expr(deeper)}))"
            case 10:
                return f"({self.expr(deeper)} if {self.test(deeper)} else {self.expr(deeper)})"
            case 11:
                return f"{self.pick('min', 'max')}({self.expr(deeper)}, {self.expr(deeper)})"
            case 12:
                return f"self.level[{self.index(scope, 3)}]"
            case 13:
                return f"self.grid[{self.index(scope, 2)}][{self.index(scope, 2)}]"
            case 14:
                return f"WEIGHTS[{self.index(scope, 4)}]"
            case 15:
                return f"clamp({self.expr(deeper)}, {self.expr(deeper)})"
            case 16 if not scope.pure:
                return f"self.helper({self.expr(deeper)}{self.pick('', ', 0', ', j=2')})"
            case _:
                return self.reduction(scope)

    def reduction(self, scope: Scope) -> str:
        name = self.name()
        inner = scope.inside(name)
        source = self.pick("self.level", "range(3)", "range(self.count)", "range(2, -1, -1)", "self.grid[1]", "Colour")
        clause = f"for {name} in {source}" + self.pick("", f" if {self.test(inner)}")
        if self.draw(st.booleans()):
            function = self.pick("sum", "any", "all")
            return f"{function}({self.expr(inner)} {clause})"
        return f"{self.pick('min', 'max')}(({self.expr(inner)} {clause}), default={self.atom(scope)})"

    def test(self, scope: Scope) -> str:
        if scope.depth >= 4:
            return f"{self.atom(scope)} {self.pick('==', '<', '>=')} {self.atom(scope)}"
        deeper = scope.inside()
        match self.draw(st.integers(0, 6)):
            case 0 | 1 | 2:
                return f"{self.expr(deeper)} {self.pick('==', '!=', '<', '<=', '>', '>=')} {self.expr(deeper)}"
            case 3:
                return f"({self.test(deeper)} {self.pick('and', 'or')} {self.test(deeper)})"
            case 4:
                return f"not {self.test(deeper)}" if self.draw(st.booleans()) else self.expr(deeper)
            case 5:
                return f"0 <= {self.expr(deeper)} < {self.expr(deeper)}"
            case _:
                return f"{self.expr(deeper)} {self.pick('in', 'not in')} (0, 2, {self.atom(scope)})"

    # --- statements ---------------------------------------------------------------------------------------------

    def block(self, scope: Scope, most: int = 3) -> str:
        inner = replace(scope, names=list(scope.names))  # a name that is assigned here need not have a value outside
        return "\n".join(self.statement(inner) for _ in range(self.draw(st.integers(1, most))))

    def body(self, scope: Scope) -> str:
        return indent(self.block(scope, 2), "    ")

    def statement(self, scope: Scope) -> str:
        kind = self.draw(st.integers(0, 15))
        if kind <= 7 or scope.depth >= 3:
            return self.assignment(scope)
        deeper = scope.inside()
        match kind:
            case 8 | 9:
                tail = f"\nelse:\n{self.body(deeper)}" if self.draw(st.booleans()) else ""
                return f"if {self.test(deeper)}:\n{self.body(deeper)}{tail}"
            case 10:
                name = self.name()
                source = self.pick("range(3)", "range(self.count, -1, -1)", "self.level", "self.grid[0]")
                return f"for {name} in {source}:\n{self.body(scope.inside(name, in_loop=True))}"
            case 11:
                name = self.name()
                step = f"    {name} += 1\n"
                loop = f"while {name} < {self.pick('2', 'self.n', 'self.count')}:\n{step}"
                return f"{name} = 0\n{loop}{self.body(scope.inside(name, in_loop=True))}"
            case 12:
                return self.match(deeper)
            case 13:
                local = self.name()
                value = f"{local} = {self.expr(deeper)}"
                scope.names.append(local)
                return value
            case 14:
                return self.pick("break", "continue") if scope.in_loop else self.pick("return", "pass")
            case _:
                return self.interruption(scope)

    def interruption(self, scope: Scope) -> str:
        if self.draw(st.booleans()):
            return f"when({self.test(scope.inside())})"
        if self.draw(st.booleans()):
            return f"assert {self.test(scope.inside())}, f'count is {{self.count}}'"
        return f"if {self.test(scope.inside())}:\n    raise RuntimeError('no')"

    def match(self, scope: Scope) -> str:
        lines = [f"match {self.pick('self.colour', 'self.count', self.expr(scope))}:"]
        for pattern in ("Colour.RED", "1 | 2", f"_ if {self.test(scope)}"):
            if self.draw(st.booleans()):
                lines.append(f"    case {pattern}:\n{indent(self.body(scope), '    ')}")
        lines.append("    case _:\n        pass")
        return "\n".join(lines)

    def assignment(self, scope: Scope) -> str:
        match self.draw(st.integers(0, 9)):
            case 0:
                return f"self.flag = {self.test(scope)}"
            case 1:
                return f"self.count = clamp({self.expr(scope)}, 3)"
            case 2:
                return f"self.count {self.pick('+', '-', '^')}= {self.pick('1', self.expr(scope))}"
            case 3:
                return f"self.signed = {self.expr(scope)} % 5 - 2"
            case 4:
                return f"self.colour = {self.pick('Colour.RED', 'Colour.BLUE', self.expr(scope))}"
            case 5 | 6:
                return f"self.level[{self.index(scope, 3)}] = {self.expr(scope)} % 3"
            case 7:
                return f"self.grid[{self.index(scope, 2)}][{self.index(scope, 2)}] ^= {self.test(scope)}"
            case 8:
                return "self.level[0], self.level[2] = self.level[2], self.level[0]"
            case _:
                return f"self.helper({self.expr(scope)})"


CHOSEN = (
    "self.count = choose(range(3))",
    "self.flag = choose(False, True); self.level[0] = choose(0, 1 + self.flag)",
    "for i in choose(subsets(2)): self.level[i] = choose(1, 2)",
)
"""Choices among initial states."""

BEGINNINGS = (
    "self.count == self.level[0] and self.level[1] == 2",
    "self.colour != Colour.GREEN and self.signed > 0",
    "not any(self.grid[0])",
)
"""What is true of initial states."""

FAMILIES = (("", ()), ('i="n"', ("i",)), ('i="n", j=range(1, 3)', ("i", "j")))
"""The indices of a family of transitions, as they are declared and as they are named."""

Family = tuple[str, tuple[str, ...]]
"""The name of a family of transitions, and its indices."""


def obligation(writer: Writer, families: list[Family], own: tuple[str, ...]) -> str:
    name, indices = families[writer.draw(st.integers(0, len(families) - 1))]
    inside = {"i": writer.pick("0", "1", "2", *(["i"] if "i" in own else [])), "j": writer.pick("1", "2")}
    return f"stb(self.{', '.join([name, *(inside[index] for index in indices)])})"


def rule(writer: Writer, families: list[Family], family: Family) -> str:
    """A rule that obliges some commands in some states, and others in the others."""
    name, indices = family
    scope = Scope(list(indices), pure=True)
    listed = [obligation(writer, families, indices) for _ in range(writer.draw(st.integers(0, 3)))]
    body = f"if {writer.test(scope)}:\n    {writer.pick('stb_all()', 'pass', *listed)}\n    return\n"
    body += "\n".join(listed or ["pass"])
    arguments = "".join(f", {index}" for index in indices)
    return f"    @obligations({name})\n    def rule_{name}(self{arguments}):\n{indent(body, '        ')}\n"


def reductions(writer: Writer, families: list[Family]) -> list[str]:
    parts = [rule(writer, families, family) for family in families if writer.draw(st.booleans())]
    if writer.draw(st.booleans()):
        body = f"if {writer.test(Scope(pure=True))}:\n    {writer.assignment(Scope(depth=3))}"
        parts.append(f"    def symmetry_representative(self):\n{indent(body, '        ')}\n")
    if writer.draw(st.booleans()):
        again, then = (writer.pick(*(name for name, _ in families)) for _ in range(2))
        parts.append(f"    again = recurrent({again}{writer.pick('', f', then={then}')})\n")
    return parts


PROPERTIES = ("invariant", "invariant", "terminal", "terminal", "may_progress", "must_progress", "must_progress")


@st.composite
def models(draw: st.DrawFn) -> str:
    """The text of a file with one model, `Random`."""
    writer = Writer(draw)
    parts = [HEAD.replace("CHOSEN", writer.pick("pass", "pass", *CHOSEN))]
    if "choose(" not in parts[0] and draw(st.integers(0, 4)) == 0:
        parts.append(f"    @initial\n    def begins(self):\n        return {writer.pick(*BEGINNINGS)}\n")
    families: list[Family] = []
    for number in range(draw(st.integers(1, 3))):
        indices, scope = draw(st.sampled_from(FAMILIES))
        guard = f"when({writer.test(Scope(list(scope)))})\n" if draw(st.booleans()) else ""
        body = indent(guard + writer.block(Scope(list(scope))), "        ")
        arguments = "".join(f", {name}" for name in scope)
        parts.append(f"    @transition({indices})\n    def t{number}(self{arguments}):\n{body}\n")
        families.append((f"t{number}", scope))
    for number, kind in enumerate(PROPERTIES):
        if draw(st.booleans()):
            test = writer.test(Scope(pure=True))
            likely = f"{test} or self.count < 3" if kind in ("invariant", "terminal") else test
            parts.append(f"    @{kind}\n    def p{number}(self):\n        return {likely}\n")
    text = "\n".join([*parts, *reductions(writer, families)])
    assume(not is_hopeless(text))
    return text


def is_hopeless(text: str) -> bool:
    """Whether the front end foresees that a constant will not fit its variable: the only way to be rejected."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "random_model.py"
        path.write_text(text)
        try:
            compile_model(load(path))
        except ModelRejected as rejected:
            return all("is out of range" in diagnostic.message for diagnostic in rejected.diagnostics)
    return False
