"""What the environment chooses in a step: the values of monitored functions, and of `choose`.

Each is an index of the command that is fired. What a step does not ask for has one alternative only, so that no step is
counted twice: an alternative of its own if the others are names that a symmetry may exchange, else the first.

Machines have many inputs, and a step asks for few of them. If the commands are many, inputs that no step asks for
together have one index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import prod

from asset.frontends.asm import code as c
from asset.frontends.asm.folding import is_range
from asset.frontends.asm.kinds import Element, Static, code_of, flattened, shown
from asset.ir import nodes as n
from asset.span import Span

MOST_WITH_NONE = 4_096
"""If there are more commands, what is not asked for has its first alternative, and inputs share indices."""

Way = frozenset[tuple[object, int]]
"""What is known where something is asked for: which branch was taken, and what some cells were before the step."""


@dataclass(frozen=True, slots=True)
class Index:
    """An alternative to choose from: what it is called, its codes, and how each is shown."""

    label: str
    codes: tuple[int, ...]
    names: tuple[str, ...]
    exchangeable: bool = False
    """Whether the alternatives are made of elements that are alike, or of numbers."""
    optional: bool = False
    """Whether there is one more alternative, to choose none of these."""

    @property
    def none(self) -> int:
        """The code of having chosen nothing."""
        if self.optional:
            return min(self.codes, default=1) - 1
        return self.codes[0] if self.codes else 0

    @property
    def title(self) -> str:
        """The label, or the first of those that share it."""
        first, *others = self.label.split("/")
        return f"{first}/…" if len(others) > 1 else self.label

    def alternatives(self) -> tuple[tuple[int, str], ...]:
        """All codes with their names; that of none is empty."""
        given = tuple(zip(self.codes, self.names, strict=True))
        return ((self.none, ""), *given) if self.optional else given


def index_over(label: str, universe: tuple[Static, ...]) -> Index:
    """The alternatives are the elements of the universe: by their codes if these are consecutive, else by position."""
    names = tuple(map(shown, universe))
    codes = tuple(map(code_of, universe)) if is_range(universe) else tuple(range(len(universe)))
    return Index(label, codes, names, any(_is_name(part) for each in universe for part in flattened(each)))


def _is_name(value: Static) -> bool:
    return value.kind.alike if isinstance(value, Element) else type(value) is int


@dataclass
class Inputs:
    """The indices of a command. `assumed` are those that were found when the machine was lowered before: they are the
    parameters of the function. Lowering is repeated until that is so. `together` says of inputs that share an index
    whose it is."""

    writer: c.Writer
    assumed: tuple[Index, ...]
    together: Mapping[str, str] = field(default_factory=dict)
    found: list[Index] = field(default_factory=list)
    in_use: set[int] = field(default_factory=set)
    """The indices that are taken on the way to here; others may be used again."""
    asking: dict[n.Stmt, tuple[str, int]] = field(default_factory=dict)
    """The statements that note that an input was asked for, each with the input and the number of its index."""
    _way: Way = frozenset()
    _ways: dict[str, set[Way]] = field(default_factory=dict)
    """Where each input is asked for."""
    _alone: dict[str, Index] = field(default_factory=dict)
    """What the index of an input would be if it had one of its own."""
    _always: set[int] = field(default_factory=set)
    _flags: dict[str, int] = field(default_factory=dict)
    _shared: dict[str, int] = field(default_factory=dict)

    def settled(self) -> tuple[Index, ...]:
        """The indices that were found, with one more alternative where not every step asks for them."""
        sometimes = set(map(self._number, self._flags)) - self._always
        optional = tuple(
            replace(index, optional=index.exchangeable and number in sometimes)
            for number, index in enumerate(self.found)
        )
        fits = prod(len(each.alternatives()) for each in optional) <= MOST_WITH_NONE
        return optional if fits else tuple(self.found)

    def sharing(self) -> tuple[tuple[str, str], ...]:
        """The inputs that have the index of another one: no step asks for both. Few inputs share nothing."""
        choices = set(range(len(self.found))) - set(self._shared.values())
        sizes = [len(self.found[number].codes) for number in choices]
        if prod(sizes) * prod(len(index.codes) for index in self._alone.values()) <= MOST_WITH_NONE:
            return ()
        groups: list[list[str]] = []
        for key in self._alone:
            fitting = (group for group in groups if all(self._can_share(key, other) for other in group))
            group = next(fitting, None)
            if group is None:
                groups.append([key])
            else:
                group.append(key)
        return tuple((key, group[0]) for group in groups for key in group[1:])

    def _can_share(self, one: str, other: str) -> bool:
        first, second = self._alone[one], self._alone[other]
        alike = first.codes == second.codes and first.names == second.names
        return alike and all(_apart(a, b) for a in self._ways[one] for b in self._ways[other])

    @contextmanager
    def on_way(self, known: Iterable[tuple[object, int]]) -> Iterator[None]:
        """Whatever is asked for meanwhile is asked for where this is known."""
        outer, self._way = self._way, self._way | frozenset(known)
        try:
            yield
        finally:
            self._way = outer

    def fresh(self, index: Index, span: Span, certain: bool) -> n.Expr:
        """An index for a choice that is made here; `certain` if every step makes it."""
        number = self._free(index)
        return self._some(f"#{number}", number, span, certain)

    def _free(self, index: Index) -> int:
        for number, known in enumerate(self.found):
            free = number not in self.in_use and number not in self._shared.values()
            if free and known.codes == index.codes and known.names == index.names:
                self._name_also(number, index.label)
                return number
        return self._new(index)

    def shared(self, key: str, index: Index, span: Span, certain: bool) -> n.Expr:
        """The index of what is the same wherever it is asked for in a step."""
        owner = self.together.get(key, key)
        if owner not in self._shared:
            self._shared[owner] = self._new(index)
        number = self._shared[key] = self._shared[owner]
        self._name_also(number, index.label)
        self._alone.setdefault(key, index)
        self._ways.setdefault(key, set()).add(self._way)
        return self._some(key, number, span, certain)

    def has_been_asked(self, key: str, span: Span) -> n.Expr:
        """Whether the step has asked for it."""
        certain = self._shared[key] in self._always
        return c.const(span, 1) if certain else n.Local(span, self._flag(key, span))

    def _new(self, index: Index) -> int:
        self.found.append(index)
        return len(self.found) - 1

    def _name_also(self, number: int, label: str) -> None:
        known = self.found[number]
        if label not in known.label.split("/"):
            self.found[number] = replace(known, label=f"{known.label}/{label}")

    def _number(self, key: str) -> int:
        return int(key[1:]) if key.startswith("#") else self._shared[key]

    def _some(self, key: str, number: int, span: Span, certain: bool) -> n.Expr:
        """Asked for, with one of the alternatives that are not none."""
        taken = self._asked(key, number, span, certain)
        if number < len(self.assumed) and self.assumed[number].optional:
            none = c.const(span, self.assumed[number].none)
            self.writer.emit(n.When(span, c.binary(span, n.BinaryOp.NE, taken, none)))
        return taken

    def _asked(self, key: str, number: int, span: Span, certain: bool) -> n.Expr:
        self.in_use.add(number)
        if certain:
            self._always.add(number)
        elif number not in self._always:
            asked = n.SetLocal(span, self._flag(key, span), c.const(span, 1))
            self.writer.emit(asked)
            if key in self._alone:
                self.asking[asked] = self._alone[key].label, number
        if number >= len(self.assumed):
            return n.Local(span, self.writer.slot("index"))  # it is lowered again, with one more index
        return n.Local(span, number)

    def _flag(self, key: str, span: Span) -> int:
        if key not in self._flags:
            self._flags[key] = self.writer.cleared(span, f"asked {self.found[self._number(key)].label}")
        return self._flags[key]

    def conditions(self, span: Span) -> Iterator[n.Stmt]:
        """What is not asked for has nothing chosen."""
        flags: dict[int, list[n.Expr]] = {}
        for key, flag in self._flags.items():
            flags.setdefault(self._number(key), []).append(n.Local(span, flag))
        for number, asked in flags.items():
            if number not in self._always and number < len(self.assumed):
                nothing = c.equal(span, n.Local(span, number), c.const(span, self.assumed[number].none))
                yield n.When(span, c.disjunction(span, (*asked, nothing)))


def _apart(a: Way, b: Way) -> bool:
    """Whether no step goes both ways."""
    known = dict(a)
    return any(known.get(what, value) != value for what, value in b)


def facts(test: n.Expr) -> Iterator[tuple[object, int]]:
    """What cells were before the step, if the test is true: it says that they are equal to constants."""
    match test:
        case n.And(operands=operands):
            for each in operands:
                yield from facts(each)
        case n.Binary(op=n.BinaryOp.EQ, left=n.Read(variable=variable, indices=indices, before=True), right=right):
            place, value = tuple(map(c.known, indices)), c.known(right)
            if value is not None and None not in place:
                yield (variable, *place), value
