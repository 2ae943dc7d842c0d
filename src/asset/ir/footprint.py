"""What a step of a run looked at and what it assigned: the cells that its code read and wrote when it was fired there.

These are facts about one firing in one state, not about the command: a firing is a function of the cells that it reads,
so it does the same in every state that agrees on them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.requirements import Predicate
from asset.span import Span


@dataclass(frozen=True, slots=True)
class Footprint:
    """The numbers of the cells read and written, and the statements that were run."""

    reads: frozenset[int]
    writes: frozenset[int]
    statements: tuple[n.Stmt, ...] = ()


class Footprints(Interpreter):
    """An interpreter that remembers which cells the code touched."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._reads: set[int] = set()
        self._writes: set[int] = set()
        self._ran: list[n.Node] = []

    def firing(self, state: State, command: int) -> Footprint:
        """Of firing the command in the state; as far as it came, if that is a model error."""
        with suppress(Fault):
            self.fire(state, command)
        return self._footprint()

    def evaluation(self, predicate: Predicate, state: State) -> Footprint:
        """Of evaluating the predicate in the state; as far as it came, if that is a model error."""
        with suppress(Fault):
            self.evaluate(predicate, state)
        return self._footprint()

    def _load(self, state: State) -> None:
        super()._load(state)
        self._reads, self._writes, self._ran = set(), set(), []

    def _get(self, cell: int) -> int:
        self._reads.add(cell)
        return self._cells[cell]

    def _get_before(self, cell: int) -> int:
        self._reads.add(cell)
        return super()._get_before(cell)

    def _set(self, cell: int, value: int, span: Span) -> None:
        super()._set(cell, value, span)
        self._writes.add(cell)

    def _reached(self, node: n.Stmt | n.Case | n.Generator) -> None:
        self._ran.append(node)

    @property
    def reads(self) -> frozenset[int]:
        """The cells that the code read since a state was last given to it."""
        return frozenset(self._reads)

    def _footprint(self) -> Footprint:
        once = {id(node): node for node in self._ran}  # comparing nodes would compare all that is below them
        statements = tuple(node for node in once.values() if isinstance(node, n.Stmt))
        return Footprint(frozenset(self._reads), frozenset(self._writes), statements)


class RememberedFootprints(Footprints):
    """What was fired with it need not be fired again to know what that touched."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._known: dict[tuple[State, int], Footprint] = {}

    def fire(self, state: State, command: int) -> State | None:
        after = super().fire(state, command)
        if after is not None:
            self._known[state, command] = self._footprint()
        return after

    def firing(self, state: State, command: int) -> Footprint:
        known = self._known.get((state, command))
        return known if known is not None else super().firing(state, command)
