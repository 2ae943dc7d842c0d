"""Where commands begin: tests of single cells that come before everything else in their code.

A command of a process begins with a test of the program counter. If that never has the value, the command is never
enabled, nor has it a model error, and nothing else need be known of it. Which values the cells of such tests can have
is found while the paths of commands are: only those are unfolded that begin with values found by then. By induction on
the steps of a run, a command that was not unfolded is not fired: the value that it begins with would be one of a state
that runs begin in, or would have been assigned by a command that was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from asset.analysis.stubborn.paths import Path
from asset.analysis.values.domains import CellDomains
from asset.analysis.values.facts import Index, cell_of
from asset.ir import nodes as n
from asset.ir.program import Family, Program

Entry = Mapping[int, int]
"""By cell: the value that it must have."""


def entries(program: Program) -> list[Entry | None]:
    """By command; None if its tests exclude each other."""
    found: list[Entry | None] = []
    for family in program.families:
        tests = list(_tests(program, family))
        found += (_entry(program, tests, arguments) for arguments in family.indices())
    return found


def unfolded_where_entered(
    cells: CellDomains, unfold: Callable[[int], Sequence[Path]], known: Sequence[Entry | None]
) -> None:
    """Calls `unfold`, which gives the paths of a command that can be fired, for every command that can be entered."""
    _Entering(cells, known).run(unfold)


class _Entering:
    def __init__(self, cells: CellDomains, known: Sequence[Entry | None]) -> None:
        self._cells = cells
        self._entries = known
        tested = {cell for entry in known if entry is not None for cell in entry}
        self._found = {cell: cells.initial[cell] for cell in sorted(tested) if cells.domains[cell] is not None}
        self._ready = deque[int]()
        self._waiting: dict[tuple[int, int], list[int]] = {}
        """Commands, by a value that was not found yet."""

    def run(self, unfold: Callable[[int], Sequence[Path]]) -> None:
        for command in range(len(self._entries)):
            self._file(command)
        while self._ready:
            for path in unfold(self._ready.popleft()):
                self._take(path)

    def _file(self, command: int) -> None:
        entry = self._entries[command]
        if entry is None:
            return
        for cell, value in entry.items():
            if cell in self._found:
                place = self._cells.index(cell, value)
                if place is None:
                    return
                if not self._found[cell] >> place & 1:
                    self._waiting.setdefault((cell, place), []).append(command)
                    return
        self._ready.append(command)

    def _take(self, path: Path) -> None:
        for cell, update in path.updates.items():
            new = update.results & ~self._found[cell] if cell in self._found else 0
            if new:
                self._found[cell] |= new
                for key in [key for key in self._waiting if key[0] == cell and new >> key[1] & 1]:
                    for command in self._waiting.pop(key):
                        self._file(command)


class _Test(NamedTuple):
    """A cell, by its variable and indices, and the value that it must have."""

    variable: int
    indices: tuple[Index, ...]
    value: int


def _tests(program: Program, family: Family) -> Iterator[_Test]:
    """Those that come before everything else."""
    for statement in program.functions[family.function].body:
        if isinstance(statement, n.SetLocal) and isinstance(statement.value, n.Local | n.Const):
            continue  # it looks at nothing, and cannot fail
        if not isinstance(statement, n.When):
            return
        for test in statement.test.operands if isinstance(statement.test, n.And) else (statement.test,):
            match test:
                case n.Binary(
                    op=n.BinaryOp.EQ, left=n.Read(variable=variable, indices=indices), right=n.Const(value=v)
                ):
                    cell = cell_of(variable, indices)
                    if cell is None:
                        return
                    yield _Test(variable, cell.indices, v)
                case _:
                    return


def _entry(program: Program, tests: Sequence[_Test], arguments: Sequence[int]) -> Entry | None:
    """The tests of a command, as far as they cannot be model errors."""
    found: dict[int, int] = {}
    for test in tests:
        cell = program.offsets[test.variable]
        scale = program.variables[test.variable].cells
        for size, (slot, amount) in zip(program.variables[test.variable].dims, test.indices, strict=True):
            index = amount if slot is None else arguments[slot] + amount
            if not 0 <= index < size:
                return found
            scale //= size
            cell += index * scale
        if found.setdefault(cell, test.value) != test.value:
            return None
    return found
