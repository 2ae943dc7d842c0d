"""The states that runs begin in: what `state()` gives for each choice in it, or what `@initial` asks for.

`state()` is run once for each combination of choices. A predicate with `@initial` is asked about states whose cells are
given values only when it reads them: what it decides without reading a cell, it decides for all values of the cell. (So
does Korat: Boyapati, Khurshid and Marinov, *Korat: automated testing based on Java predicates*, ISSTA 2002.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import combinations
from math import prod
from types import FunctionType
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

from asset.errors import ModelRejected
from asset.ir.presence import Control, controls
from asset.ir.program import State
from asset.ir.shapes import refers
from asset.ir.types import EnumType, ScalarType
from asset.model.decorations import mark, marks_of, unmarked_function
from asset.model.spans import definition_span
from asset.model.state import keys_of, rejected
from asset.model.transitions import members_in_order
from asset.model.views import key_value

if TYPE_CHECKING:
    from asset.model.declaring import StateVariable
    from asset.model.model import Model

F = TypeVar("F", bound=Callable[..., bool])

INITIAL = "@initial"

MOST_STATES = 1_000_000
"""Initial states: each is a tuple in memory, and a task for the engine."""

MOST_TRIED = 500_000
"""Evaluations of `@initial`: some ten seconds."""


# --- choices in state() -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Script:
    """What `choose` gives in one run of `state()`: alternative `taken[k]` of `sizes[k]` in its k-th call."""

    taken: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def choose(self, alternatives: tuple[Any, ...]) -> Any:
        at = len(self.sizes)
        if at == len(self.taken):
            self.taken.append(0)
        self.sizes.append(len(alternatives))
        return alternatives[self.taken[at]]

    def following(self) -> Script | None:
        """The next one, the last choice changing first; None if there is none."""
        taken = list(self.taken)
        while taken and taken[-1] + 1 == self.sizes[len(taken) - 1]:
            taken.pop()
        return Script([*taken[:-1], taken[-1] + 1]) if taken else None


_script: ContextVar[Script | None] = ContextVar("script", default=None)
"""Of the run of `state()` in this thread."""


@contextmanager
def following(script: Script) -> Iterator[None]:
    """`choose` does what the script says."""
    token = _script.set(script)
    try:
        yield
    finally:
        _script.reset(token)


def chosen_in_state(given: tuple[Any, ...]) -> Any:
    """What `choose` gives in `state()`; raises LookupError outside of it."""
    script = _script.get()
    if script is None:
        raise LookupError
    alternatives = given if len(given) != 1 else tuple(_listed(given[0]))
    if not alternatives:
        raise rejected("choose() has nothing to choose from", "give it at least one value")
    return script.choose(alternatives)


def _listed(given: Any) -> Iterable[Any]:
    if not isinstance(given, Iterable):
        raise rejected(f"choose({given!r}) has one value, which is no choice", f"write {given!r}, or list several")
    return given


def subsets(domain: object) -> tuple[frozenset[Any], ...]:
    """All subsets of a domain, or of the values that are given, the smaller ones first.

    A domain is a number n for 0 to n - 1, a range, an IntEnum, bool, or a tuple of these, as for a Set.
    """
    given = domain if isinstance(domain, set | frozenset | list) else None
    keys = None if given is not None else keys_of(domain, "subsets()")
    values = sorted(given or ()) if keys is None else [key_value(keys, key) for key in keys.all()]
    if 2 ** len(values) > MOST_STATES:
        raise rejected(f"a set of {len(values)} values has more than {MOST_STATES:,} subsets", "give fewer values")
    return tuple(frozenset(part) for size in range(len(values) + 1) for part in combinations(values, size))


def too_many(what: str) -> ModelRejected:
    return rejected(
        f"there are more than {MOST_STATES:,} initial states",
        f"{what}; or begin in one state, and choose in a transition that is enabled only there",
    )


# --- @initial ---------------------------------------------------------------------------------------------------


def initial(function: F) -> F:
    """Declares which states are initial ones: those in which the method returns True.

    Variables that it reads take all their values; the others begin as `state()` says.
    """
    mark(INITIAL, unmarked_function(INITIAL, function))
    return function


def predicates_of(cls: type) -> tuple[FunctionType, ...]:
    """The methods with @initial; all of them hold in an initial state."""
    return tuple(m for m in members_in_order(cls).values() if isinstance(m, FunctionType) and INITIAL in marks_of(m))


class _Needed(BaseException):
    """A cell was read that has no value yet. No `except Exception` of a model ends its way."""

    def __init__(self, cell: int) -> None:
        self.cell = cell


class _ReadCells(list[int]):
    """The cells of a state of which some have no value yet."""

    open: set[int]

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[int]: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> int | list[int]:
        cells = range(*at.indices(len(self))) if isinstance(at, slice) else (at.__index__(),)
        for cell in cells:
            if cell in self.open:
                raise _Needed(cell)
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[int]:
        return (self[cell] for cell in range(len(self)))

    def __setitem__(self, at: Any, value: Any) -> None:
        raise rejected("a method with @initial changes the state", "it returns whether a state is an initial one")


class InitialSearch:
    """All states that the predicates of a model hold in, found by asking them."""

    def __init__(self, model: Model, predicates: tuple[FunctionType, ...]) -> None:
        self.model = model
        self.predicates = predicates
        self.base = model._snapshot()
        self.tried = 0
        self.variables: dict[int, StateVariable] = {}
        self.controls: dict[int, Control] = {}
        self.types: dict[int, ScalarType] = {}
        self.read: set[str] = set()
        self.states: list[State] = []
        for variable in model._variables.values():
            if variable.owner is None and not refers(variable.shape):
                self._lists(variable)

    def _lists(self, variable: StateVariable) -> None:
        types = [leaf.scalar.type for leaf in variable.leaves() for _ in range(prod(leaf.dims))]
        cells = range(variable.offset, variable.offset + len(types))
        self.variables.update(dict.fromkeys(cells, variable))
        self.types.update(zip(cells, types, strict=True))
        for cell, by in controls(variable.shape).items():
            at = None if by.cell is None else variable.offset + by.cell
            self.controls[variable.offset + cell] = Control(at, by.least)

    def found(self) -> tuple[State, ...]:
        """The states in increasing order; raises ModelRejected if there is none, or too much to try."""
        partial = list(self._partial())
        for fixed in partial:
            for state in self._completed(fixed):
                self.states.append(state)
                if len(self.states) > MOST_STATES:
                    raise too_many("let @initial say more")
        if not self.states:
            names = " and ".join(function.__name__ for function in self.predicates)
            raise ModelRejected.of(
                f"no state is an initial one: {names} never returned True, whatever the values of {self._names()}",
                definition_span(self.predicates[0]),
                "variables range over what state() declares; say less, or declare more values",
            )
        return tuple(sorted(self.states))

    def _partial(self) -> Iterator[dict[int, int]]:
        """What the cells that were read are in the states that satisfy the predicates: the others may be anything."""
        pending: list[dict[int, int]] = [{}]
        while pending:
            fixed = pending.pop()
            needed = self._asked(fixed)
            if needed is True:
                yield fixed
            elif not isinstance(needed, bool):
                self.read.add(self.variables[needed].name)
                pending += [{**fixed, needed: value} for value in reversed(self._values(needed, fixed))]

    def _asked(self, fixed: Mapping[int, int]) -> bool | int:
        """Whether the predicates hold; or the cell whose value must be known first."""
        self.tried += 1
        if self.tried > MOST_TRIED:
            raise ModelRejected.of(
                f"after {MOST_TRIED:,} trials not all initial states were found: {self._names()} take too many values",
                definition_span(self.predicates[0]),
                "test early what rules out most, declare smaller ranges, or write choose(...) in state()",
            )
        cells = _ReadCells(fixed.get(cell, value) for cell, value in enumerate(self.base))
        cells.open = self.variables.keys() - fixed.keys()
        self.model.__dict__["_cells"] = cells
        try:
            return all(self._holds(function) for function in self.predicates)
        except _Needed as needed:
            return self._first_control(needed.cell, fixed)
        finally:
            self.model.__dict__["_cells"] = list(self.base)

    def _holds(self, function: FunctionType) -> bool:
        try:
            result = function(self.model)
        except ModelRejected:
            raise
        except Exception as error:
            what = f"{function.__name__} fails in a state that it is asked about: {type(error).__name__}: {error}"
            raise ModelRejected.of(what, definition_span(function), "test first what it relies on") from None
        if not isinstance(result, bool):
            what = f"{function.__name__} returned {result!r}, not whether the state is an initial one"
            raise ModelRejected.of(what, definition_span(function), "return True or False")
        return result

    def _first_control(self, cell: int, fixed: Mapping[int, int]) -> int:
        """The cell, or what decides whether it is in use and is not known yet."""
        by = self.controls.get(cell)
        if by is None or by.cell is None or by.cell in fixed:
            return cell
        return self._first_control(by.cell, fixed)

    def _values(self, cell: int, fixed: Mapping[int, int]) -> Sequence[int]:
        kind, by = self.types[cell], self.controls.get(cell)
        if by is not None and (by.cell is None or fixed[by.cell] < by.least):
            return (kind.lo,)
        if isinstance(kind, EnumType):
            return sorted(value for _, value in kind.members)
        if kind.hi - kind.lo >= MOST_TRIED:
            name = self.variables[cell].name
            raise ModelRejected.of(
                f"{name} has {kind.hi - kind.lo + 1:,} values, too many to try",
                self.variables[cell].span,
                "declare a smaller range, or write choose(...) in state()",
            )
        return range(kind.lo, kind.hi + 1)

    def _completed(self, fixed: Mapping[int, int]) -> Iterator[State]:
        """The states that agree with what is fixed: variables that were ever read take all their values."""
        free = [c for c, v in self.variables.items() if v.name in self.read and c not in fixed]
        pending = [dict(fixed)]
        for cell in free:  # what controls a cell comes before it
            pending = [{**known, cell: value} for known in pending for value in self._values(cell, known)]
            if len(pending) > MOST_STATES:
                raise too_many("let @initial say more")
        for known in pending:
            yield tuple(known.get(cell, value) for cell, value in enumerate(self.base))

    def _names(self) -> str:
        return ", ".join(sorted(self.read)) or "the state"
