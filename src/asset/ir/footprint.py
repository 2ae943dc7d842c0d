"""What a step of a run looked at and what it assigned: the cells that its code read and wrote when it was fired there.

These are facts about one firing in one state, not about the command: a firing is a function of the cells that it reads,
so it does the same in every state that agrees on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import SupportsIndex, overload

from asset.ir.faults import Fault
from asset.ir.interpreter import CallFrame, Completion, Interpreter
from asset.ir.nodes import Stmt
from asset.ir.program import Program, State
from asset.ir.requirements import Predicate


@dataclass(frozen=True, slots=True)
class Footprint:
    """The numbers of the cells read and written, and the statements that were run."""

    reads: frozenset[int]
    writes: frozenset[int]
    statements: tuple[Stmt, ...] = ()


class Footprints(Interpreter):
    """An interpreter that remembers which cells the code touched."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._touched = _NotedCells(())
        self._statements: list[Stmt] = []

    def firing(self, state: State, command: int) -> Footprint:
        """Of firing the command in the state; as far as it came, where that is a model error."""
        with suppress(Fault):
            self.fire(state, command)
        return self._footprint()

    def evaluation(self, predicate: Predicate, state: State) -> Footprint:
        """Of evaluating the predicate in the state; as far as it came, where that is a model error."""
        with suppress(Fault):
            self.evaluate(predicate, state)
        return self._footprint()

    def _load(self, state: State) -> None:
        self._cells = self._touched = _NotedCells(state)
        self._statements = []

    def _block(self, body: tuple[Stmt, ...], frame: CallFrame) -> Completion:
        for statement in body:
            self._statements.append(statement)
            flow = super()._block((statement,), frame)
            if flow is not Completion.NEXT:
                return flow
        return Completion.NEXT

    def _footprint(self) -> Footprint:
        statements = tuple(dict.fromkeys(self._statements))
        return Footprint(frozenset(self._touched.reads), frozenset(self._touched.writes), statements)


class _NotedCells(list[int]):
    """The cells of a state; looking at one or assigning to it is noted."""

    def __init__(self, values: Iterable[int]) -> None:
        super().__init__(values)
        self.reads: set[int] = set()
        self.writes: set[int] = set()

    @overload
    def __getitem__(self, at: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> list[int]: ...
    def __getitem__(self, at: SupportsIndex | slice) -> int | list[int]:
        if isinstance(at, slice):
            raise TypeError("code reads cells one by one")
        self.reads.add(int(at))
        return super().__getitem__(at)

    def __setitem__(self, at: SupportsIndex | slice, value: int | Iterable[int]) -> None:
        if isinstance(at, slice) or not isinstance(value, int):
            raise TypeError("code assigns cells one by one")
        self.writes.add(int(at))
        super().__setitem__(at, value)
