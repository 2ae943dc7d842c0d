"""Random local collections: expressions that make lists and sets of numbers, and blocks that change them."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

SOURCES = ("self.row", "range(3)", "(2, i, 0)", "reversed(self.row)", "range(self.out % 4)", "[1, i]")
TESTS = ("", " if {x} != i", " if {x} > self.row[0]", " if {x} % 2")


class Listing:
    """Writes collections of numbers; `i`, `self.row` and `self.out` are at hand."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.fresh = 0

    def one_of(self, *options: str | Callable[[], str]) -> str:
        option = options[self.draw(st.integers(0, len(options) - 1))]
        return option if isinstance(option, str) else option()

    def _name(self) -> str:
        self.fresh += 1
        return f"x{self.fresh}"

    def element(self) -> str:
        return self.one_of("0", "1", "i", "2", "self.row[0]", "self.out % 3", "-1")

    def clause(self, x: str) -> str:
        return f"for {x} in {self.one_of(*SOURCES)}{self.one_of(*TESTS).format(x=x)}"

    def comprehension(self) -> str:
        x = self._name()
        return f"{self.one_of(x, f'{x} * {x}', f'i - {x}', f'self.row[{x} % 2]')} {self.clause(x)}"

    def list(self, depth: int = 2) -> str:
        def inner() -> str:
            return self.list(depth - 1)

        leaf = (
            lambda: f"[{self.comprehension()}]",
            lambda: f"[{self.element()}, {self.element()}]",
            lambda: f"list({self.one_of(*SOURCES)})",
            "[]",
        )
        if depth == 0:
            return self.one_of(*leaf)
        return self.one_of(
            *leaf,
            lambda: f"sorted({inner()})",
            lambda: f"sorted({self.set(depth - 1)}, reverse=True)",
            lambda: f"sorted({inner()}, key=lambda v: (v % 2, -v))",
            lambda: f"({inner()} + {inner()})",
            lambda: f"({inner()})[{self.bound()}:{self.bound()}{self.one_of('', ':2', ':-1', ':-2')}]",
            lambda: f"({inner()} * 2)",
            lambda: f"[a + b for a, b in zip({inner()}, {inner()})]",
            lambda: f"[k * v for k, v in enumerate({inner()})]",
            lambda: f"[v for v, _ in {{v: v % 2 for v in {inner()}}}.items()]",
        )

    def set(self, depth: int = 1) -> str:
        leaf = (
            lambda: f"{{{self.comprehension()}}}",
            lambda: f"{{{self.element()}, {self.element()}}}",
            lambda: f"set({self.list(max(depth - 1, 0))})",
        )
        if depth == 0:
            return self.one_of(*leaf)
        return self.one_of(
            *leaf, lambda: f"(set({self.list(0)}) {self.one_of('|', '&', '-', '^')} {self.set(depth - 1)})"
        )

    def bound(self) -> str:
        return self.one_of("", "", "1", "-1", "i", "self.row[0]", "-2")

    def number(self) -> str:
        """A number that is found in a collection."""
        return self.one_of(
            lambda: f"len({self.list()})",
            lambda: f"sum({self.list()})",
            lambda: f"({self.list()})[{self.element()}]",
            lambda: f"max({self.list()}, default=1)",
            lambda: f"min({self.list()})",
            lambda: f"min({self.list()}, key=lambda v: v % 3, default=2)",
            lambda: f"max({self.set()}, default=0)",
            lambda: f"len({self.set()})",
            lambda: f"int({self.element()} {self.one_of('in', 'not in')} {self.one_of(self.list, self.set)})",
            lambda: f"int({self.list()} {self.one_of('==', '<', '>=', '!=')} {self.list()})",
            lambda: f"int(set({self.list(0)}) {self.one_of('==', '<=', '>', '!=')} {self.set()})",
            lambda: f"({self.list()}).count({self.element()})",
            lambda: f"sum(x * k for k, x in enumerate({self.list()}))",
            lambda: f"any([v > i for v in {self.list(1)}])",
            lambda: f"max((v % 2, v) for v in {self.list(1)})[1]",
            lambda: f"int({self.element()} > 0 and {self.element()} in {self.list(1)})",
        )

    def change(self, name: str) -> str:
        item = self.element()
        return self.one_of(
            f"{name}.append({item})",
            f"{name}.insert({self.element()}, {item})",
            f"{name}.extend({self.list(1)})",
            f"{name} += [{item}]",
            f"{name} = {name} + [{item}]",
            f"{name}.pop()",
            f"{name}.pop({self.element()})",
            f"{name}.remove({item})",
            f"{name}[{self.element()}] = {item}",
            f"del {name}[{self.element()}]",
            f"{name}.reverse()",
            f"{name}.sort()",
            f"{name}.clear()",
            f"{name} = {self.list(1)}",
        )

    def block(self) -> str:
        """Statements that make a list, change it and read it; some in branches and loops."""
        name = f"xs{self._name()}"
        lines = [f"{name} = {self.list(1)}"]
        for _ in range(self.draw(st.integers(0, 3))):
            change = self.change(name)
            lines.append(
                self.one_of(
                    change,
                    f"if {self.number()} > 1:\n    {change}",
                    f"for {name}k in range(2):\n    {change}",
                    f"for {name}k in self.row:\n    if {name}k > i:\n        {change}",
                )
            )
        read = self.one_of(f"sum({name})", f"{name}[0]", f"len({name})", f"{name}[-1] + {name}.count(1)")
        lines.append(self.one_of(f"self.out = {read}", f"self.row = {name}[:2]", f"self.out = {self.number()}"))
        return "\n".join(lines)
