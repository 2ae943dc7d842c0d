"""A program: typed state variables, commands, properties. Parameters are already bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import product
from math import prod

from asset.ir.nodes import Stmt
from asset.ir.shapes import Shape
from asset.ir.types import ScalarType
from asset.span import Span

State = tuple[int, ...]
"""One value for each cell, in the order of declaration, arrays row by row."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable: a scalar if `dims` is empty, else an array of that shape."""

    name: str
    type: ScalarType
    dims: tuple[int, ...]
    initial: tuple[int, ...]
    span: Span

    @property
    def cells(self) -> int:
        return prod(self.dims)


@dataclass(frozen=True, slots=True)
class DeclaredVariable:
    """A state variable as the modeller declared it; `first` is the number of the first variable that holds it."""

    name: str
    shape: Shape
    first: int


@dataclass(frozen=True, slots=True)
class Function:
    """Code with `parameters` arguments in its first slots; `slots` names all locals."""

    name: str
    parameters: int
    slots: tuple[str, ...]
    body: tuple[Stmt, ...]
    span: Span


class Style(Enum):
    GUARDED = "guarded"  # fires unless a `when` disables it
    FIRE = "fire"  # fires if the function returns true; must change nothing otherwise


@dataclass(frozen=True, slots=True)
class Family:
    """The commands that share one body: one for each combination of `ranges`, the last index fastest."""

    name: str
    function: int
    ranges: tuple[tuple[int, ...], ...]
    style: Style
    first: int
    span: Span
    rule: int | None = None
    """A function of the same indices that lists its obligations (Oblige): a hand-written stubborn set rule."""

    @property
    def size(self) -> int:
        return prod(len(r) for r in self.ranges)

    @property
    def process(self) -> str | None:
        """The process that this is a step of: `customer` for `customer@41`."""
        process, at, _ = self.name.partition("@")
        return process if at else None

    def indices(self) -> Iterator[tuple[int, ...]]:
        return product(*self.ranges)


class PropertyKind(Enum):
    INVARIANT = "invariant"  # holds in every reachable state
    TERMINAL = "terminal"  # holds in every terminal state
    MAY_PROGRESS = "may_progress"
    MUST_PROGRESS = "must_progress"


@dataclass(frozen=True, slots=True)
class Property:
    """Without `messages`, the function returns whether the property holds. With them (the ASSET style), it returns 0
    where it holds and k where `messages[k - 1]` says what is wrong."""

    kind: PropertyKind
    name: str
    function: int
    messages: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Whenever commands of `again` occur infinitely often, so do commands of `then`.

    Violated by a run in which a command of `again` occurs infinitely often but none of `then` does (Theorem 6).
    """

    name: str
    again: frozenset[int]
    then: frozenset[int]
    span: Span


@dataclass(frozen=True)
class Program:
    name: str
    parameters: tuple[tuple[str, object], ...]
    variables: tuple[Variable, ...]
    functions: tuple[Function, ...]
    families: tuple[Family, ...]
    properties: tuple[Property, ...]
    recurrences: tuple[Recurrence, ...] = ()
    representative: int | None = None
    """A function without parameters that changes the state to a symmetric one: a hand-written symmetry."""
    terminates: bool = False
    """Whether always may-terminating is required: from every reachable state a terminal state is reachable."""
    declared: tuple[DeclaredVariable, ...] = ()
    """How the state is shown: as it was declared. If it is empty, each variable is shown as it is."""

    @cached_property
    def nr_commands(self) -> int:
        return sum(family.size for family in self.families)

    @cached_property
    def commands(self) -> tuple[tuple[Family, tuple[int, ...]], ...]:
        """Each command's family and indices, by its number."""
        return tuple((family, index) for family in self.families for index in family.indices())

    @cached_property
    def initial(self) -> State:
        return tuple(value for v in self.variables for value in v.initial)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """The number of the first cell of each variable."""
        result, at = [], 0
        for variable in self.variables:
            result.append(at)
            at += variable.cells
        return tuple(result)

    @cached_property
    def cell_variables(self) -> tuple[Variable, ...]:
        """The variable that each cell belongs to."""
        return tuple(variable for variable in self.variables for _ in range(variable.cells))

    @cached_property
    def cell_names(self) -> tuple[str, ...]:
        """Each cell as a user writes it: `client[2]`, `grid[0][1]`, `count`."""
        return tuple(
            variable.name + "".join(f"[{i}]" for i in indices)
            for variable in self.variables
            for indices in product(*map(range, variable.dims))
        )

    def command_name(self, command: int) -> str:
        """As a user would call it: `request(2)`, `move(0, 1)`, `tick`."""
        family, index = self.commands[command]
        return f"{family.name}({', '.join(map(str, index))})" if index else family.name

    def properties_of(self, kind: PropertyKind) -> tuple[Property, ...]:
        return tuple(p for p in self.properties if p.kind is kind)
