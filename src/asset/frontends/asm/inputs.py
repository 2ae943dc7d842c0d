"""What the environment chooses in a step: the values of monitored functions, and of `choose`.

Each is an index of the command that is fired. What a step does not ask for has one alternative only, so that no step is
counted twice: an alternative of its own if the others are names that a symmetry may exchange, else the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import prod

from asset.frontends.asm import code as c
from asset.frontends.asm.folding import is_range
from asset.frontends.asm.kinds import Element, Static, code_of, flattened, shown
from asset.ir import nodes as n
from asset.span import Span

MOST_WITH_NONE = 4_096
"""If there are more commands, what is not asked for has its first alternative."""


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
    parameters of the function. Lowering is repeated until that is so."""

    writer: c.Writer
    assumed: tuple[Index, ...]
    found: list[Index] = field(default_factory=list)
    in_use: set[int] = field(default_factory=set)
    """The indices that are taken on the way to here; others may be used again."""
    _always: set[int] = field(default_factory=set)
    _flags: dict[int, int] = field(default_factory=dict)
    _shared: dict[str, int] = field(default_factory=dict)

    def settled(self) -> tuple[Index, ...]:
        """The indices that were found, with one more alternative where not every step asks for them."""
        sometimes = self._flags.keys() - self._always
        optional = tuple(
            replace(index, optional=index.exchangeable and number in sometimes)
            for number, index in enumerate(self.found)
        )
        fits = prod(len(each.alternatives()) for each in optional) <= MOST_WITH_NONE
        return optional if fits else tuple(self.found)

    def fresh(self, index: Index, span: Span, certain: bool) -> n.Expr:
        """An index for a choice that is made here; `certain` if every step makes it."""
        return self._some(self._free(index), span, certain)

    def _free(self, index: Index) -> int:
        for number, known in enumerate(self.found):
            free = number not in self.in_use and number not in self._shared.values()
            if free and known.codes == index.codes and known.names == index.names:
                if index.label not in known.label.split("/"):
                    self.found[number] = replace(known, label=f"{known.label}/{index.label}")
                return number
        return self._new(index)

    def shared(self, key: str, index: Index, span: Span, certain: bool) -> n.Expr:
        """The index of what is the same wherever it is asked for in a step."""
        if key not in self._shared:
            self._shared[key] = self._new(index)
        return self._some(self._shared[key], span, certain)

    def has_been_asked(self, key: str, span: Span) -> n.Expr:
        """Whether the step has asked for it."""
        number = self._shared[key]
        return c.const(span, 1) if number in self._always else n.Local(span, self._flag(number, span))

    def _new(self, index: Index) -> int:
        self.found.append(index)
        return len(self.found) - 1

    def _some(self, number: int, span: Span, certain: bool) -> n.Expr:
        """Asked for, with one of the alternatives that are not none."""
        taken = self._asked(number, span, certain)
        if number < len(self.assumed) and self.assumed[number].optional:
            none = c.const(span, self.assumed[number].none)
            self.writer.emit(n.When(span, c.binary(span, n.BinaryOp.NE, taken, none)))
        return taken

    def _asked(self, number: int, span: Span, certain: bool) -> n.Expr:
        self.in_use.add(number)
        if certain:
            self._always.add(number)
        elif number not in self._always:
            self.writer.emit(n.SetLocal(span, self._flag(number, span), c.const(span, 1)))
        if number >= len(self.assumed):
            return n.Local(span, self.writer.slot("index"))  # it is lowered again, with one more index
        return n.Local(span, number)

    def _flag(self, number: int, span: Span) -> int:
        if number not in self._flags:
            self._flags[number] = self.writer.cleared(span, f"asked {self.found[number].label}")
        return self._flags[number]

    def conditions(self, span: Span) -> Iterator[n.Stmt]:
        """What is not asked for has nothing chosen."""
        for number, flag in self._flags.items():
            if number not in self._always and number < len(self.assumed):
                nothing = c.equal(span, n.Local(span, number), c.const(span, self.assumed[number].none))
                yield n.When(span, c.disjunction(span, (n.Local(span, flag), nothing)))
