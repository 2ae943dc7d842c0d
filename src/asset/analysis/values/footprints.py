"""The cells that commands touch: those that what they do depends on, and those that they assign to.

A command is run by the reference interpreter while nothing is known of the state. When it reads a cell, it goes on with
one of its values, and is run again for each other. So all its runs are seen and, as a run depends on nothing but what
it reads, all cells that matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from asset.analysis.values.bit_layout import BitLayout
from asset.ir import nodes as n
from asset.ir.evaluation import CommandDisabled, Completion, Situation
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import IntegerFrame, Interpreter
from asset.ir.program import Program
from asset.span import Span

MAX_BITS = 12
"""Of a packed state, that one command touches. There are tables with an entry for each of their values."""

MAX_COMMANDS = 512
"""Of more commands nothing is said."""

MAX_STATEMENTS = 100_000
"""Of all runs together: some tenths of a second."""

Masks = Mapping[int, int]
"""By the number of a word of the packed state: bits of it."""


def footprints(program: Program, layout: BitLayout) -> list[Masks | None]:
    """For each command the bits that it touches; None if they are many, or if it would take long to find them."""
    if program.nr_commands > MAX_COMMANDS:
        return [None] * program.nr_commands
    tracing = _Tracing(program, layout)
    touched = [tracing.touched_by(family.function, indices) for family, indices in program.commands]
    return [None if cells is None else _masks(layout, cells) for cells in touched]


def _masks(layout: BitLayout, cells: Iterable[int]) -> Masks:
    masks: dict[int, int] = {}
    for cell in cells:
        place = layout.cells[cell]
        masks[place.word] = masks.get(place.word, 0) | (1 << place.width) - 1 << place.shift
    return masks or {0: 0}


class _TooMuchError(Exception):
    """The command touches too many cells, or its runs take too long."""


class _Tracing(Interpreter):
    """Runs commands on states that become known cell by cell."""

    def __init__(self, program: Program, layout: BitLayout) -> None:
        super().__init__(program)
        self._layout = layout
        ranges = zip(layout.ranges, program.variables, strict=True)
        self._domains = [range(each.lo, each.hi + 1) for each, variable in ranges for _ in range(variable.cells)]
        self._known: dict[int, int] = {}  # cells as they were when the command began
        self._assigned: dict[int, int] = {}
        self._pending: list[dict[int, int]] = []  # what is known in runs that are still to be made
        self._touched: set[int] = set()
        self._statements_left = MAX_STATEMENTS

    def touched_by(self, function: int, indices: tuple[int, ...]) -> frozenset[int] | None:
        self._touched = set()
        self._pending = [{}]
        while self._pending:
            self._known, self._assigned = self._pending.pop(), {}
            try:
                with suppress(CommandDisabled, Fault):  # so it may end with these values
                    self.call(function, list(indices))
            except _TooMuchError:
                return None
        return frozenset(self._touched)

    def _get(self, cell: int) -> int:
        return self._assigned[cell] if cell in self._assigned else self._get_before(cell)

    def _get_before(self, cell: int) -> int:
        if cell not in self._known:
            self._touch(cell)
            values = self._domains[cell]
            self._pending += [{**self._known, cell: value} for value in values[1:]]
            self._known[cell] = values[0]
        return self._known[cell]

    def _set(self, cell: int, value: int, span: Span) -> None:
        self._touch(cell)
        if value not in self.program.cell_variables[cell].type:
            raise Fault(FaultKind.RANGE, span, "")
        self._assigned[cell] = value

    def _touch(self, cell: int) -> None:
        if cell not in self._touched:
            self._touched.add(cell)
            if sum(self._layout.cells[each].width for each in self._touched) > MAX_BITS:
                raise _TooMuchError

    def _fail(self, s: n.Fail, frame: IntegerFrame) -> Completion:
        raise Fault(s.kind, s.span, "")  # what its message shows, the command does not depend on

    def _reached(self, node: n.Stmt | n.Case | n.Generator) -> None:
        self._statements_left -= 1
        if self._statements_left < 0:
            raise _TooMuchError

    def _situation(self, frame: IntegerFrame) -> Situation:
        return frame.locals, list(self._assigned.items())
