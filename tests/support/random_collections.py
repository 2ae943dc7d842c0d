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
            lambda: f"[*{inner()}, {self.element()}, *{inner()}]",
            lambda: f"(self.row + {inner()})",
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
            *leaf,
            lambda: f"(set({self.list(0)}) {self.one_of('|', '&', '-', '^')} {self.set(depth - 1)})",
            lambda: f"{{*{self.list(0)}, {self.element()}, *{self.set(depth - 1)}}}",
            lambda: f"set({self.list(0)}).{self.one_of('union', 'difference')}({self.list(0)}, {self.set(0)})",
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
            lambda: f"sum(v - w for v in {self.list(1)} for w in {self.list(0)} if v != w)",
            lambda: f"int(any(v == w for k, v in enumerate({self.list(1)}) for w in self.row[k:] if w))",
            lambda: f"max((v + w for v in {self.list(1)} for w in {self.list(0)}), default=3)",
            lambda: f"int(set({self.list(0)}).isdisjoint({self.list(0)}))",
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
            f"{name}.sort(key=lambda v: (v % 2, v), reverse=True)",
            f"{name} = [*{name}, {item}]",
            f"{name}.clear()",
            f"{name} = {self.list(1)}",
        )

    def change_of_set(self, name: str) -> str:
        return self.one_of(
            f"{name}.add({self.element()})",
            f"{name}.discard({self.element()})",
            f"{name} {self.one_of('|=', '&=', '-=')} {self.set(0)}",
            f"{name} = {name} {self.one_of('|', '&', '-')} {self.set(0)}",
            f"{name}.update({self.list(0)}, {self.set(0)})",
            f"{name}.{self.one_of('difference_update', 'intersection_update')}({self.list(0)})",
        )

    def change_of_dict(self, name: str) -> str:
        return self.one_of(
            f"{name}[{self.element()}] = {self.element()}",
            f"{name}.setdefault({self.element()}, {self.element()})",
            f"{name}[{self.element()}] += 1",
            f"{name} |= {{{self.element()}: 2}}",
            f"{name} = {name} | {{v: 1 for v in {self.list(0)}}}",
            f"{name}.update({{{self.element()}: 0, 7: {self.element()}}})",
            f"{name}.pop({self.element()})",
        )

    def taken_apart(self) -> str:
        """A list that is taken apart, by an assignment or by patterns."""
        a, b, c = (self._name() for _ in range(3))
        return self.one_of(
            lambda: f"{a}, *{b} = {self.list(1)}\nself.out = {a} + len({b})",
            lambda: f"*{a}, {b} = {self.list(1)}\nself.out = {b} - sum({a})",
            lambda: f"{a}, *{b}, {c} = {self.list(1)}\nself.row, self.out = {b}[:2], {a} - {c}",
            lambda: (
                f"match {self.list(1)}:"
                f"\n    case [0, *{b}]:\n        self.out = len({b})\n    case [{a}, *_, 1]:\n        self.out = {a}"
                f"\n    case [_, {c}]:\n        self.out = {c}\n    case []:\n        self.out = 9"
            ),
        )

    def block(self) -> str:
        """Statements that make a collection, change it and read it."""
        lists, others = self.block_of_list, (self.block_of_set, self.block_of_dict, self.taken_apart)
        return self.one_of(lists, lists, *others)

    def _changes(self, name: str, change: Callable[[str], str]) -> str:
        """Some of them in branches and loops."""
        changes = [change(name) for _ in range(self.draw(st.integers(1, 3)))]
        around = ("{0}", f"if {self.number()} > 1:\n    {{0}}", "for _ in range(2):\n    {0}")
        return "\n".join(self.one_of(*(each.replace("{0}", c) for each in around)) for c in changes)

    def block_of_set(self) -> str:
        name = f"xs{self._name()}"
        lines = [f"{name} = set({self.list(1)})", self._changes(name, self.change_of_set)]
        return "\n".join([*lines, f"self.out = {self.one_of('len', 'sum')}({name}) + max({name}, default=1)"])

    def block_of_dict(self) -> str:
        name = f"xs{self._name()}"
        lines = [f"{name} = {{v: v % 3 for v in {self.list(1)}}}", self._changes(name, self.change_of_dict)]
        read = self.one_of(f"sum({name}.values())", f"max({name}, key={name}.get, default=1)", f"len({name})")
        return "\n".join([*lines, f"self.out = {read}"])

    def block_of_list(self) -> str:
        """Some changes are in branches and loops."""
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
