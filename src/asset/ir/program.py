"""A program: typed state variables, commands, requirements. Parameters are already bound."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cached_property
from itertools import compress, product
from math import prod
from operator import ne
from typing import overload

from asset.deferred import dataclass
from asset.ir.nodes import Node, Stmt, walk
from asset.ir.requirements import Predicate, Requirement, StepPredicate, step_predicates
from asset.ir.shapes import FunctionShape, Keys, Shape
from asset.ir.types import FIRST_TEXT, EnumType, ScalarType
from asset.span import Span

State = tuple[int, ...]
"""One value for each cell, in the order of declaration, arrays row by row."""

BLOCK = 256
"""Cells that are compared at once."""

MOST_LISTED = 10_000
"""If there are more commands, what is asked of one of them is computed."""


def differing(before: State, after: State) -> Iterator[int]:
    """The cells in which the states differ. Blocks that are equal are passed over, as most of a large state is."""
    for start in range(0, len(after), BLOCK):
        old, new = before[start : start + BLOCK], after[start : start + BLOCK]
        if old != new:
            yield from compress(range(start, start + len(new)), map(ne, old, new))


@dataclass(frozen=True, slots=True)
class Owner:
    """The processes that a variable is a part of: their local variable `local`, or their program counter if it is None.

    The first dimensions of the variable are the indices of the process, counted from `firsts`.
    """

    process: str
    local: str | None
    firsts: tuple[int, ...]
    live: tuple[int, ...] | None = None
    """Of a local variable: where the program counter is while it is needed. Elsewhere it has its initial value. None if
    nothing is known of that."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable: a scalar if `dims` is empty, else an array of that shape."""

    name: str
    type: ScalarType
    dims: tuple[int, ...]
    initial: tuple[int, ...]
    span: Span
    owner: Owner | None = None
    """None if the variable is shared."""

    @property
    def cells(self) -> int:
        return prod(self.dims)


@dataclass(frozen=True, slots=True)
class DeclaredVariable:
    """A state variable as the modeller declared it; `first` is the number of the first variable that holds it."""

    name: str
    shape: Shape
    first: int


@dataclass(frozen=True)
class Function:
    """Code with `parameters` arguments in its first slots; `slots` names all locals."""

    name: str
    parameters: int
    slots: tuple[str, ...]
    body: tuple[Stmt, ...]
    span: Span
    opaque: str = ""
    """Why analyses do not follow it, so that they only know which cells it may read and write; empty if they do."""

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All of its code, as `walk` goes over it: once, as many analyses look at all of it."""
        return tuple(walk(*self.body))


class Style(Enum):
    GUARDED = "guarded"  # fires unless a `when` disables it
    FIRE = "fire"  # fires if the function returns true; must change nothing otherwise


@dataclass(frozen=True, slots=True)
class IndexLabel:
    """How an index is shown: what it is called, unless that is empty, and the names of its values.

    A value with an empty name is not shown.
    """

    name: str
    values: tuple[tuple[int, str], ...]

    def show(self, value: int) -> str:
        shown = str(dict(self.values).get(value, value))
        return f"{self.name}={shown}" if self.name and shown else shown


@dataclass(frozen=True, slots=True)
class Family:
    """The commands that share one body: one for each combination of `ranges`, the last index fastest."""

    name: str
    function: int
    ranges: tuple[Sequence[int], ...]
    style: Style
    first: int
    span: Span
    rule: int | None = None
    """A function of the same indices that lists its obligations (Oblige): a hand-written stubborn set rule."""
    process: str | None = None
    """The name of the processes that the commands are steps of, if the model is written as processes."""
    choices: int = 0
    """How many of the last indices are alternatives to choose from; those before them are of the process."""
    labels: tuple[IndexLabel, ...] = ()
    """How the indices are shown, one for each; numbers if there are none."""
    last_resort: bool = False
    """Whether these are enabled only where no command is that is not a last resort."""
    skips: int | None = None
    """The local of the function that says, when a command is disabled, how many commands just before it are disabled
    too and need not be tried; if it is fired, the function returns how many just after it are. None if nothing says
    so."""

    @property
    def size(self) -> int:
        return prod(len(r) for r in self.ranges)

    @property
    def partner(self) -> str | None:
        """The name of the processes that receive in such a step, if it is one of two processes: `p@3 meets q@7`."""
        _, meets, other = self.name.partition(" meets ")
        is_step = self.process is not None and self.name.startswith(f"{self.process}@")
        return other.rpartition("@")[0] if meets and is_step else None

    @property
    def process_ranges(self) -> tuple[Sequence[int], ...]:
        """The ranges of the indices of the process."""
        return self.ranges[: len(self.ranges) - self.choices]

    def indices(self) -> Iterator[tuple[int, ...]]:
        return product(*self.ranges)

    def index(self, place: int) -> tuple[int, ...]:
        """The indices of the command at that place of the family."""
        found = []
        for values in reversed(self.ranges):
            place, at = divmod(place, len(values))
            found.append(values[at])
        return tuple(reversed(found))

    def shown(self, index: tuple[int, ...]) -> list[str]:
        """The indices of a command as they are shown."""
        if not self.labels:
            return list(map(str, index))
        return [label.show(value) for label, value in zip(self.labels, index, strict=True)]


@dataclass(frozen=True, slots=True)
class QueueVariables:
    """Variables that hold queues, one for each element of `length`: how many items it has. The last dimension of each
    of `contents` is the places of the items, from the first one on; behind the last item, all places hold the blank."""

    length: int
    contents: tuple[int, ...]
    blanks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A symmetry that the front end knows of: cell c becomes `cells[c]`, and of some cells, values become others. It
    makes steps of steps and keeps every predicate; which command becomes which may depend on the state."""

    cells: tuple[int, ...]
    values: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]


@dataclass(frozen=True)
class Program:
    name: str
    parameters: tuple[tuple[str, object], ...]
    variables: tuple[Variable, ...]
    functions: tuple[Function, ...]
    families: tuple[Family, ...]
    requirements: tuple[Requirement, ...] = ()
    """What the model asks for, in the order in which it does."""
    representative: int | None = None
    """A function without parameters that changes the state to a symmetric one: a hand-written symmetry."""
    declared: tuple[DeclaredVariable, ...] = ()
    """How the state is shown: as it was declared. If it is empty, each variable is shown as it is."""
    further_initial: tuple[State, ...] = ()
    """The states that runs may begin in, besides the one that the variables give."""
    updates_together: bool = False
    """Whether all updates of a step happen together: conflicts and ranges are findings of their own kinds."""
    idle_steps: bool = False
    """Whether a step that changes nothing is a step for every requirement, as in the ancestor."""
    blanks: bool = False
    """Whether cells of declared variables are blank wherever they are not in use (`ir.presence`)."""
    queues: tuple[QueueVariables, ...] = ()
    """Those of which analyses may know that what is put in and what is taken out are its two ends."""
    exchanges: tuple[Exchange, ...] = ()
    """Symmetries that the front end knows of, if commands are numbered."""

    @cached_property
    def nr_commands(self) -> int:
        return sum(family.size for family in self.families)

    @property
    def draws(self) -> bool:
        """Whether commands have numbers from which what is chosen is drawn, and analyses do not follow each of them."""
        return any(family.skips is not None for family in self.families)

    @cached_property
    def commands(self) -> Sequence[tuple[Family, tuple[int, ...]]]:
        """Each command's family and indices, by its number."""
        if self.nr_commands > MOST_LISTED:
            return _Commands(tuple(family for family in self.families if family.size), self.nr_commands)
        return tuple((family, index) for family in self.families for index in family.indices())

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        """What the requirements are about, each once. Its position is its number at the native boundary."""
        return tuple(dict.fromkeys(p for requirement in self.requirements for p in requirement.predicates))

    @cached_property
    def step_predicates(self) -> tuple[StepPredicate, ...]:
        """What formulas ask of steps, each once; numbered likewise."""
        return tuple(dict.fromkeys(p for requirement in self.requirements for p in step_predicates(requirement)))

    @cached_property
    def initial(self) -> State:
        """The first initial state."""
        return tuple(value for v in self.variables for value in v.initial)

    @cached_property
    def initial_states(self) -> tuple[State, ...]:
        return (self.initial, *self.further_initial)

    @cached_property
    def _symbols(self) -> dict[int, str]:
        """How the language of the model writes its symbols in a text."""
        kinds = {v.type for v in self.variables if isinstance(v.type, EnumType) and v.type.is_symbolic}
        pairs = [(kind, name, number) for kind in kinds for name, number in kind.members]
        return {number: name if number >= FIRST_TEXT else f"{kind.name}.{name}" for kind, name, number in pairs}

    def spoken(self, value: int) -> str:
        """The value as a part of a message."""
        return self._symbols.get(value, str(value))

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
        """Each cell as a user writes it: `client[2]`, `grid[0][1]`, `count`; of functions `light(kitchen)`."""
        functions = {d.first: d.shape.keys for d in self.declared if isinstance(d.shape, FunctionShape)}
        return tuple(
            variable.name + _written(indices, functions.get(number))
            for number, variable in enumerate(self.variables)
            for indices in product(*map(range, variable.dims))
        )

    def command_name(self, command: int) -> str:
        """As a user would call it: `request(2)`, `move(0, 1)`, `tick`; with labels `step(agent=alice)`."""
        family, index = self.commands[command]
        shown = [each for each in family.shown(index) if each]
        return f"{family.name}({', '.join(shown)})" if shown else family.name


class _Commands(Sequence[tuple[Family, tuple[int, ...]]]):
    """The commands of a program that has too many to list them."""

    def __init__(self, families: tuple[Family, ...], size: int) -> None:
        self._families = families
        self._firsts = [family.first for family in families]
        self._size = size

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> tuple[Family, tuple[int, ...]]: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[tuple[Family, tuple[int, ...]], ...]: ...
    def __getitem__(self, at: int | slice) -> object:
        if isinstance(at, slice):
            return tuple(self[k] for k in range(*at.indices(self._size)))
        number = range(self._size)[at]
        family = self._families[bisect_right(self._firsts, number) - 1]
        return family, family.index(number - family.first)

    def __iter__(self) -> Iterator[tuple[Family, tuple[int, ...]]]:
        return ((family, index) for family in self._families for index in family.indices())


def _written(indices: tuple[int, ...], keys: Keys | None) -> str:
    """The indices of a cell behind its name; those of the keys of a function are its arguments."""
    if keys is None:
        return "".join(f"[{i}]" for i in indices)
    args = [part.type.show(part.type.lo + i) for part, i in zip(keys.parts, indices, strict=False)]
    return f"({', '.join(args)})" + "".join(f"[{i}]" for i in indices[len(args) :])
