"""Which loops must be counted, so that a firing that never ends is noticed.

A loop over a range whose size is in the text goes round as often as that. It is not counted unless it, with the loops
in it, makes more than `KNOWN_LIMIT` rounds; all other loops are. One call of a function may take `LOOP_LIMIT` rounds of
these together. A round weighs as much as the loops in it that are not counted; one of `while` weighs a little more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from asset.ir import nodes as n
from asset.ir.faults import LOOP_LIMIT
from asset.ir.program import Program
from asset.ir.types import ScalarType

KNOWN_LIMIT = 1_000_000
WHILE_WEIGHT = 3
HEAVIEST = LOOP_LIMIT // 10
"""A loop may go round ten times, whatever is in it."""


def counted_loops(program: Program) -> Mapping[n.Node, int]:
    """The loops (`While`, `For` and `Generator`) that are counted, and how much a round of each weighs."""
    counting = _Counting(program)
    for function in program.functions:  # each comes after those that it calls
        counting.costs.append(sum(map(counting.cost, function.body)))
    return counting.weights


class _Counting:
    def __init__(self, program: Program) -> None:
        self._program = program
        self.costs: list[int] = []
        """Of each function, as `cost`."""
        self.weights: dict[n.Node, int] = {}

    def cost(self, node: n.Node) -> int:
        """How many rounds the loops in it make that are not counted."""
        match node:
            case n.While():
                self.weights[node] = min(WHILE_WEIGHT + self._parts(node), HEAVIEST)
                return 0
            case n.For():
                bounds = sum(map(self.cost, (node.start, node.stop, node.step)))
                return bounds + self._rounds(node, sum(map(self.cost, node.body)))
            case n.Fold():
                return self._fold(node)
            case n.Call():
                called = self.costs[node.function] if node.function < len(self.costs) else 0
                return called + self._parts(node)
        return self._parts(node)

    def _parts(self, node: n.Node) -> int:
        return sum(map(self.cost, n.children(node)))

    def _fold(self, node: n.Fold) -> int:
        inside = self.cost(node.element)
        for generator in reversed(node.generators):
            tests = () if generator.test is None else (generator.test,)
            inside += sum(map(self.cost, (*(bind.value for bind in generator.binds), *tests)))
            bounds = sum(map(self.cost, (generator.start, generator.stop, generator.step)))
            inside = bounds + self._rounds(generator, inside)
        return inside + (0 if node.default is None else self.cost(node.default))

    def _rounds(self, loop: n.For | n.Generator, inside: int) -> int:
        """How many rounds it makes, with the loops inside; none if it is counted."""
        known = self._known_rounds(loop)
        if known is not None and known * (1 + inside) <= KNOWN_LIMIT:
            return known * (1 + inside)
        self.weights[loop] = min(1 + inside, HEAVIEST)
        return 0

    def _known_rounds(self, loop: n.For | n.Generator) -> int | None:
        """The most rounds that it can make, if that can be told at a glance."""
        if not isinstance(loop.step, n.Const):
            return None
        first, last = (_lowest, _highest) if loop.step.value > 0 else (_highest, _lowest)
        start, stop = self._bound(loop.start, first), self._bound(loop.stop, last)
        if start is None or stop is None or loop.step.value == 0:
            return None
        return len(range(start, stop, loop.step.value))

    def _bound(self, e: n.Expr, side: Callable[[ScalarType], int]) -> int | None:
        match e:
            case n.Const():
                return e.value
            case n.Read():
                return side(self._program.variables[e.variable].type)
        return None


def _lowest(declared: ScalarType) -> int:
    return declared.lo


def _highest(declared: ScalarType) -> int:
    return declared.hi
