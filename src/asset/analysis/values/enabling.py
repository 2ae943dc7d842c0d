"""What disables commands, as far as single cells tell, in whatever way their guards are written.

A command is run while nothing is known of the state. When it reads a cell, it is run again for all values of that cell
at once: a value of the run is a *column*, with an entry for each alternative. Where a branch depends on the
alternative, the run is divided. Alternatives for which a `when` is false, whatever the other cells hold, are disabled,
and without a model error: that would have come before. With those that are left, the same is done for the cell that is
read next. What depends on more than that, or one more cell that says which cell matters, is left to the command itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from math import prod
from typing import NamedTuple, TypeVar

from asset.analysis.values.interval import Interval
from asset.ir import nodes as n
from asset.ir.evaluation import CallFrame, CommandDisabled, Completion, Evaluator
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import binary_value, unary_value
from asset.ir.program import Family, Program, Style
from asset.span import Span

MAX_VALUES = 256
"""A cell with more values than this is not looked at value by value."""

MAX_ALTERNATIVES = 1024
"""Combinations of values of the cells read so far that one run is about."""

MAX_PARTS = 8
"""Parts that the alternatives of a run are divided into, as where a cell is an index. Into more they are not."""

MOST_RUNS = 32
"""Runs for one command. What was not decided by then is taken to be enabled."""

MAX_RUNS = 40_000
"""Runs for all commands together: some tenths of a second. If there are many commands, each has fewer."""

LEAST_RUNS = 12
"""Runs that each command may have: enough to know what a program counter and one more cell say of it."""

Disabling = Mapping[int, Sequence[int]]
"""By cell: the values with which a command is certainly disabled."""

ALWAYS: Disabling = {-1: ()}
"""Of a command that is never enabled."""

MOST_GIVEN = 16
"""Values of a key (see `Conditions`) that are looked at."""


class Conditions(NamedTuple):
    """What disables a command: values of single cells; and for each value of another cell, the *key*, what does if it
    has that, as an index says which cell matters. The key is -1 if there is none."""

    alone: Disabling
    key: int = -1
    given: Mapping[int, Disabling] = {}


Column = tuple[int, ...]
"""A value for each alternative."""

_Frame = CallFrame[Column]


def conditions(program: Program, ranges: Sequence[Interval]) -> list[Conditions]:
    """For each command what disables it; `ranges` are the values that the cells of each variable can have. Of a family
    that skips commands nothing is said, as if it were one command."""
    domains = [
        range(r.lo, r.hi + 1) if r.hi - r.lo < MAX_VALUES else None
        for r, variable in zip(ranges, program.variables, strict=True)
        for _ in range(variable.cells)
    ]
    looked_at = sum(family.size for family in program.families if family.skips is None)
    most = max(LEAST_RUNS, min(MOST_RUNS, MAX_RUNS // max(1, looked_at)))
    run = _AllAtOnce(program)
    found: list[Conditions] = []
    for family in program.families:
        if family.skips is not None:
            found += [Conditions({})] * bool(family.size)
        else:
            found += (_conditions(list(_left(run, family, at, domains, most)), domains) for at in family.indices())
    return found


_Domains = Sequence[range | None]
"""The values of each cell; None if they are many."""


def _conditions(left: Sequence[_Alternatives], domains: _Domains) -> Conditions:
    """What all alternatives that are left have in common; with the key that says most besides."""
    if not left:
        return Conditions(ALWAYS)
    enabling = _enabling(left)
    alone = _disabling(enabling, domains)
    best, least = Conditions(alone), 1.0
    for key, values in enabling.items():
        if 1 < len(values) <= MOST_GIVEN:
            known = {*alone, key}
            given = {value: _enabling([each.where(key, value) for each in left]) for value in sorted(values)}
            chance = sum(_chance(cells, known, domains) for cells in given.values()) / len(given)
            if chance < least:
                disabling = {value: _disabling(cells, domains, known) for value, cells in given.items()}
                best, least = Conditions(alone, key, disabling), chance
    return best


def _enabling(left: Sequence[_Alternatives]) -> dict[int, set[int]]:
    """The values of each cell that is known in all of the alternatives, of which some may be none at all."""
    some = [each for each in left if each.size]
    known = [cell for cell in some[0].cells if all(cell in each.cells for each in some)]
    return {cell: {value for each in some for value in each.values(cell)} for cell in known}


def _disabling(enabling: Mapping[int, set[int]], domains: _Domains, known: Container[int] = ()) -> Disabling:
    """The values that none of the alternatives has, of cells of which nothing is known yet."""
    found: dict[int, Sequence[int]] = {}
    for cell, values in enabling.items():
        domain = domains[cell]
        if domain is not None and len(values) < len(domain) and cell not in known:
            found[cell] = [value for value in domain if value not in values]
    return found


def _chance(enabling: Mapping[int, set[int]], known: Container[int], domains: _Domains) -> float:
    """How likely cells of which nothing is known yet have such values."""
    sizes = {cell: len(domains[cell] or ()) for cell in enabling if cell not in known}
    return prod(len(enabling[cell]) / size for cell, size in sizes.items() if size)


def _left(
    run: _AllAtOnce, family: Family, indices: tuple[int, ...], domains: _Domains, most: int
) -> Iterator[_Alternatives]:
    """The alternatives with which the command may be enabled."""
    pending = deque([_Alternatives(1, {})])
    for _ in range(most):
        if not pending:
            return
        each = pending.popleft()
        try:
            run.all_at_once(family, indices, each)
        except CommandDisabled:
            continue
        except _Divided as divided:
            if len(set(divided.by)) > MAX_PARTS:
                yield each
            else:
                pending += each.divided(divided.by)
        except _Unknown as unknown:
            domain = domains[unknown.cell]
            if domain is None or each.size * len(domain) > MAX_ALTERNATIVES:
                yield each
            else:
                pending.append(each.with_cell(unknown.cell, domain))
        except (Fault, _BeyondGuard):
            yield each
        else:
            yield each
    yield from pending


class _Alternatives:
    """What some cells hold: a column for each, or the value that all alternatives have in common."""

    def __init__(self, size: int, cells: Mapping[int, int | Column]) -> None:
        self.size = size
        self.cells = cells

    def values(self, cell: int) -> Iterable[int]:
        held = self.cells[cell]
        return held if isinstance(held, tuple) else (held,)

    def with_cell(self, cell: int, domain: range) -> _Alternatives:
        """Each of the alternatives with each value of one more cell."""
        cells: dict[int, int | Column] = {
            known: tuple(value for value in held for _ in domain) if isinstance(held, tuple) else held
            for known, held in self.cells.items()
        }
        cells[cell] = tuple(domain) * self.size if len(domain) > 1 else domain[0]
        return _Alternatives(self.size * len(domain), cells)

    def where(self, cell: int, value: int) -> _Alternatives:
        """Those in which the cell has the value."""
        held = self.cells[cell]
        if not isinstance(held, tuple):
            return self if held == value else _Alternatives(0, {})
        rows = [row for row, each in enumerate(held) if each == value]
        return _Alternatives(len(rows), {known: _at(each, rows) for known, each in self.cells.items()} if rows else {})

    def divided(self, by: Sequence[int]) -> Iterator[_Alternatives]:
        """The alternatives with the same number each; those with a negative one are left out."""
        together: dict[int, list[int]] = {}
        for row, number in enumerate(by):
            together.setdefault(number, []).append(row)
        for number, rows in together.items():
            if number >= 0:
                yield _Alternatives(len(rows), {cell: _at(held, rows) for cell, held in self.cells.items()})


def _at(held: int | Column, rows: Sequence[int]) -> int | Column:
    return _column(held[row] for row in rows) if isinstance(held, tuple) else held


def _column(values: Iterable[int]) -> int | Column:
    """A number if all alternatives have the same."""
    found = tuple(values)
    return found if any(value != found[0] for value in found) else found[0]


class _Unknown(Exception):
    """The run depends on a cell of which nothing is known."""

    def __init__(self, cell: int) -> None:
        self.cell = cell


class _Divided(Exception):
    """The alternatives do not go on alike: those with the same number do. A negative one is disabled."""

    def __init__(self, by: Sequence[int]) -> None:
        self.by = by


class _BeyondGuard(Exception):
    """The run has come to where no guard is expected any more, or where it may take long."""


class _AllAtOnce(Evaluator[Column]):
    """Runs commands on states of which only some cells are known, for all alternatives at once."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._alternatives = _Alternatives(1, {})

    def all_at_once(self, family: Family, indices: tuple[int, ...], alternatives: _Alternatives) -> None:
        """Raises what ends the run, unless that is not decided by what is known: then it returns."""
        self._alternatives = alternatives
        fired = self.call(family.function, list(indices))
        if family.style is Style.FIRE:
            if isinstance(fired, tuple):
                raise _Divided([0 if each else -1 for each in fired])
            if not fired:
                raise CommandDisabled

    # --- values ---------------------------------------------------------------------------------------------------

    def _true(self, value: int | Column) -> bool:
        if isinstance(value, int):
            return value != 0
        truth = [int(each != 0) for each in value]
        if 0 < sum(truth) < len(truth):
            raise _Divided(truth)
        return truth[0] != 0

    def _integer(self, value: int | Column) -> int:
        if isinstance(value, int):
            return value
        if all(each == value[0] for each in value):
            return value[0]
        numbers = {each: number for number, each in enumerate(sorted(set(value)))}
        raise _Divided([numbers[each] for each in value])

    def _element(self, dims: tuple[int, ...], indices: list[int | Column], name: str, span: Span) -> int:
        at = 0
        for size, index in zip(dims, map(self._integer, indices), strict=True):
            if not 0 <= index < size:
                raise Fault(FaultKind.INDEX, span, name)
            at = at * size + index
        return at

    def _get(self, cell: int) -> int | Column:
        if cell in self._alternatives.cells:
            return self._alternatives.cells[cell]
        raise _Unknown(cell)

    _get_before = _get

    def _set(self, cell: int, value: int | Column, span: Span) -> None:
        raise _BeyondGuard

    def _unary_value(self, e: n.Unary, value: int | Column) -> int | Column:
        if isinstance(value, int):
            return unary_value(e, value)
        return _results(lambda operand: unary_value(e, operand), value)

    def _binary_value(self, e: n.Binary, left: int | Column, right: int | Column) -> int | Column:
        if isinstance(left, int) and isinstance(right, int):
            return binary_value(e, left, right)
        columns = self._as_column(left), self._as_column(right)
        if e.op in n.COMPARISONS:  # never a model error, and what guards mostly do
            return _column(map(int, map(n.COMPARISONS[e.op], *columns)))
        return _results(lambda pair: binary_value(e, *pair), tuple(zip(*columns, strict=True)))

    def _as_column(self, value: int | Column) -> Column:
        return (value,) * self._alternatives.size if isinstance(value, int) else value

    def _sum(self, e: n.Fold, elements: Iterable[int | Column]) -> int | Column:
        return self._folded(e, n.BinaryOp.ADD, 0, elements)

    def _extremum(self, e: n.Fold, elements: list[int | Column]) -> int | Column:
        op = n.BinaryOp.MIN if e.op is n.FoldOp.MIN else n.BinaryOp.MAX
        return self._folded(e, op, elements[0], elements[1:])

    def _folded(self, e: n.Fold, op: n.BinaryOp, first: int | Column, elements: Iterable[int | Column]) -> int | Column:
        node = n.Binary(e.span, op, e.element, e.element)
        return reduce(lambda total, element: self._binary_value(node, total, element), elements, first)

    # --- statements -----------------------------------------------------------------------------------------------

    def _when(self, s: n.When, frame: _Frame) -> Completion:
        value = self._value(s.test, frame)
        if isinstance(value, int):
            if value == 0:
                raise CommandDisabled
        elif 0 in value:
            raise _Divided([0 if each else -1 for each in value])
        return Completion.NEXT

    def _fail(self, s: n.Fail, frame: _Frame) -> Completion:
        raise Fault(s.kind, s.span, "")

    def _mark(self, s: n.Mark, frame: _Frame) -> Completion:
        raise _BeyondGuard

    def _add_work(self, weight: int, node: n.Node) -> None:
        raise _BeyondGuard


_Operand = TypeVar("_Operand")


def _results(operate: Callable[[_Operand], int], operands: Sequence[_Operand]) -> int | Column:
    """What the operation makes of each; where it is a model error for some, the alternatives go on apart."""
    results: dict[_Operand, int] = {}
    for operand in set(operands):
        try:
            results[operand] = operate(operand)
        except Fault:  # not `suppress`, which takes longer than what is done here
            continue
    if all(operand in results for operand in operands):
        return _column(results[operand] for operand in operands)
    if not results:
        operate(operands[0])  # a model error for all
    raise _Divided([int(operand in results) for operand in operands])
