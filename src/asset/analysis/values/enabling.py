"""What disables commands, as far as single cells tell, in whatever way their guards are written.

A command is run by the reference interpreter while nothing is known of the state. When it reads a cell, it is run again
for each value of that cell. With a value for which a `when` is false by then, whatever the other cells hold, it is
disabled, and without a model error: that would have come before. With the values that are left, the same is done for
the cell that is read next. What depends on more than that is left to the command itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from asset.analysis.values.interval import Interval
from asset.ir import nodes as n
from asset.ir.evaluation import CommandDisabled, Completion
from asset.ir.faults import Fault
from asset.ir.interpreter import IntegerFrame, Interpreter
from asset.ir.program import Family, Program, Style
from asset.span import Span

MAX_VALUES = 256
"""A cell with more values than this is not looked at value by value."""

MAX_CELLS = 12
"""Cells of one command that are looked at."""

MAX_ALTERNATIVES = 16
"""Combinations of values of the cells read so far with which the command may still be enabled."""

MAX_RUNS = 60_000
"""Runs for all commands together: some tenths of a second. Of commands after that nothing is said."""

Disabling = Mapping[int, Sequence[int]]
"""By cell: the values with which a command is certainly disabled."""

ALWAYS: Disabling = {-1: ()}
"""Of a command that is never enabled."""

_Known = tuple[tuple[int, int], ...]
"""Cells with their values."""

# How a run ends, unless it needs to know a cell: then with the number of that.
_DISABLED, _UNDECIDED = -1, -2


def disabling_values(program: Program, ranges: Sequence[Interval]) -> list[list[Disabling]]:
    """For each command of each family what disables it; `ranges` are the values that the cells of each variable can
    have. Of a family that skips commands nothing is said, as if it were one command."""
    run = _PartialInterpreter(program)
    domains = [
        range(r.lo, r.hi + 1) if r.hi - r.lo < MAX_VALUES else None
        for r, variable in zip(ranges, program.variables, strict=True)
        for _ in range(variable.cells)
    ]
    return [
        [{}]
        if family.skips is not None
        else [_Guard(run, family, index).disabling(domains) for index in family.indices()]
        for family in program.families
    ]


class _Guard:
    """What is looked for in the guard of one command."""

    def __init__(self, run: _PartialInterpreter, family: Family, indices: tuple[int, ...]) -> None:
        self._run = run
        self._family = family
        self._indices = indices
        self._left: list[_Known] = [()]  # alternatives with which the command may be enabled

    def disabling(self, domains: Sequence[range | None]) -> Disabling:
        found: dict[int, Sequence[int]] = {}
        cell = self._run.end(self._family, self._indices, ())
        if cell == _DISABLED:
            return ALWAYS
        for _ in range(MAX_CELLS):
            values = domains[cell] if cell >= 0 else None
            if values is None or len(self._left) > MAX_ALTERNATIVES or self._run.runs > MAX_RUNS:
                break
            ends, disabling = self._split(cell, values)
            if disabling:
                found[cell] = disabling
            cell = ends.pop() if len(ends) == 1 else _UNDECIDED
        return found

    def _split(self, cell: int, values: Iterable[int]) -> tuple[set[int], list[int]]:
        """How the runs end that may be enabled, when the cell is known too; its values with which none may."""
        ends: set[int] = set()
        left: list[_Known] = []
        disabling: list[int] = []
        for value in values:
            before = len(left)
            for known in self._left:
                end = self._run.end(self._family, self._indices, (*known, (cell, value)))
                if end != _DISABLED:
                    ends.add(end)
                    left.append((*known, (cell, value)))
            if len(left) == before:
                disabling.append(value)
        self._left = left
        return ends, disabling


class _Unknown(Exception):
    """The run depends on a cell of which nothing is known."""

    def __init__(self, cell: int) -> None:
        self.cell = cell


class _BeyondGuard(Exception):
    """The run has come to where no guard is expected any more, or where it may take long."""


class _PartialInterpreter(Interpreter):
    """Runs commands on states of which only some cells are known."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._known: dict[int, int] = {}
        self.runs = 0

    def end(self, family: Family, indices: tuple[int, ...], known: _Known) -> int:
        """How the command ends if these cells have these values: it is disabled, that is not decided, or it needs
        another cell."""
        self.runs += 1
        self._known = dict(known)
        try:
            fired = self.call(family.function, list(indices))
        except CommandDisabled:
            return _DISABLED
        except _Unknown as unknown:
            return unknown.cell
        except (Fault, _BeyondGuard):
            return _UNDECIDED
        return _DISABLED if family.style is Style.FIRE and not fired else _UNDECIDED

    def _get(self, cell: int) -> int:
        if cell in self._known:
            return self._known[cell]
        raise _Unknown(cell)

    _get_before = _get

    def _set(self, cell: int, value: int, span: Span) -> None:
        raise _BeyondGuard

    def _mark(self, s: n.Mark, frame: IntegerFrame) -> Completion:
        raise _BeyondGuard

    def _add_work(self, weight: int, node: n.Node) -> None:
        raise _BeyondGuard
