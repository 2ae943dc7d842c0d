"""Which loops must be counted, so that a firing that never ends is noticed.

A loop over a range whose size is in the text goes round as often as that: it is not counted unless it, with the loops
around it, makes more than `LOOP_LIMIT` rounds. All other loops are, and so are those inside of them. One call of a
function may take `LOOP_LIMIT` rounds of them together. A round of `while` weighs more: most loops that do not end are of
that kind, and the reference interpreter takes its time to find out.
"""

from __future__ import annotations

from collections.abc import Callable

from asset.ir import nodes as n
from asset.ir.faults import LOOP_LIMIT
from asset.ir.program import Program
from asset.ir.types import ScalarType

WHILE_WEIGHT = 10
"""How many rounds of `for` a round of `while` stands for."""


def counted_loops(program: Program) -> frozenset[n.Node]:
    """The loops (`While`, `For` and `Generator`) that are counted."""
    return _Counting(program).found()


class _Counting:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._around: dict[int, int] = {}  # of each function, how often loops around its calls may run it
        self._found: set[n.Node] = set()

    def found(self) -> frozenset[n.Node]:
        # A function comes after those that it calls.
        for number in reversed(range(len(self._program.functions))):
            around = self._around.get(number, 1)
            for statement in self._program.functions[number].body:
                self._visit(statement, around)
        return frozenset(self._found)

    def _visit(self, node: n.Node, around: int) -> None:
        """Inside of a loop that is counted, `around` is more than the limit."""
        match node:
            case n.While():
                self._found.add(node)
                around = LOOP_LIMIT + 1
            case n.For():
                for part in (node.start, node.stop, node.step):
                    self._visit(part, around)
                inside = self._rounds(node, around)
                for statement in node.body:
                    self._visit(statement, inside)
                return
            case n.Fold():
                return self._fold(node, around)
            case n.Call():
                self._around[node.function] = max(around, self._around.get(node.function, 1))
        for part in n.children(node):
            self._visit(part, around)

    def _fold(self, node: n.Fold, around: int) -> None:
        inside = around
        for generator in node.generators:
            for part in (generator.start, generator.stop, generator.step):
                self._visit(part, inside)
            inside = self._rounds(generator, inside)
            for bind in generator.binds:
                self._visit(bind.value, inside)
            if generator.test is not None:
                self._visit(generator.test, inside)
        self._visit(node.element, inside)
        if node.default is not None:
            self._visit(node.default, around)

    def _rounds(self, loop: n.For | n.Generator, around: int) -> int:
        """How often the inside of the loop may run, with the loops around it."""
        least, most, step = self._least(loop.start), self._most(loop.stop), self._least(loop.step)
        if least is None or most is None or step is None or step != self._most(loop.step):
            rounds = LOOP_LIMIT + 1
        elif step < 0:
            greatest, lowest = self._most(loop.start), self._least(loop.stop)
            rounds = LOOP_LIMIT + 1 if greatest is None or lowest is None else len(range(greatest, lowest, step))
        else:
            rounds = len(range(least, most, step)) if step else 0
        total = min(around * max(rounds, 1), LOOP_LIMIT + 1)
        if total > LOOP_LIMIT:
            self._found.add(loop)
        return total

    def _least(self, e: n.Expr) -> int | None:
        return self._bound(e, lambda type_: type_.lo)

    def _most(self, e: n.Expr) -> int | None:
        return self._bound(e, lambda type_: type_.hi)

    def _bound(self, e: n.Expr, side: Callable[[ScalarType], int]) -> int | None:
        """A bound of the value, if it can be told at a glance."""
        match e:
            case n.Const():
                return e.value
            case n.Read():
                return side(self._program.variables[e.variable].type)
        return None
