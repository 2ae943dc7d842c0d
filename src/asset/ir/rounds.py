"""Which loops must be counted, so that a firing that never ends is noticed.

The work of a loop is the number of operations (nodes) that its rounds do. If it is known from the text, as of a loop
over a range of constants, and is at most `KNOWN_LIMIT`, the loop is not counted; nor is one within a loop that is
counted if its work is at most `LOOP_LIMIT`. The loops of one firing, in all functions that it calls, may do the work of
`LOOP_LIMIT` operations in the rounds that are counted. So an interpreter notices within about a second, however large
the loop's body is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from asset.ir import nodes as n
from asset.ir.faults import LOOP_LIMIT
from asset.ir.program import Program
from asset.ir.types import ScalarType

KNOWN_LIMIT = 8_000_000
COMPARING = 3
"""Operations: a round of `while` is compared with earlier ones."""


def rounds_of(values: range) -> int:
    """How many rounds a loop over the range makes: `len` fails if there are 2**63 or more."""
    return max(0, -((values.start - values.stop) // values.step))


def counted_loops(program: Program) -> Mapping[n.Node, int]:
    """The loops (`While`, `For` and `Generator`) that are counted, and the work of one round of each."""
    counting = _Counting(program)
    for function in program.functions:  # each comes after those that it calls
        counting.works.append(counting.together(function.body, KNOWN_LIMIT))
    return counting.weights


def functions_that_count(program: Program, counted: Mapping[n.Node, int]) -> frozenset[int]:
    """The functions with loops that are counted, in them or in functions that they call."""
    found: set[int] = set()
    for number, function in enumerate(program.functions):  # each comes after those that it calls
        nodes = n.walk(*function.body)
        if any(node in counted or (isinstance(node, n.Call) and node.function in found) for node in nodes):
            found.add(number)
    return frozenset(found)


class _Counting:
    def __init__(self, program: Program) -> None:
        self._program = program
        self.works: list[int] = []
        """Of each function, as `work`."""
        self.weights: dict[n.Node, int] = {}

    def together(self, nodes: Iterable[n.Node], limit: int) -> int:
        return sum(self.work(node, limit) for node in nodes)

    def work(self, node: n.Node, limit: int) -> int:
        """The most operations that it does, without those of loops that are counted. One that does more than `limit`
        is."""
        match node:
            case n.While():
                self._count(node, COMPARING + self._parts(node, LOOP_LIMIT))
                return 0
            case n.For():
                bounds = self.together((node.start, node.stop, node.step), limit)
                return bounds + self._rounds(node, lambda most: self.together(node.body, most), limit)
            case n.Fold():
                default = () if node.default is None else (node.default,)
                return self._generated(node, 0, limit) + self.together(default, limit)
            case n.If():
                tests = self.together((case.test for case in node.cases), limit)
                bodies = (*(case.body for case in node.cases), node.orelse)
                return tests + max(self.together(body, limit) for body in bodies)
            case n.Call():
                called = self.works[node.function] if node.function < len(self.works) else 0
                return called + self._parts(node, limit)
        return self._parts(node, limit)

    def _parts(self, node: n.Node, limit: int) -> int:
        return 1 + self.together(n.children(node), limit)

    def _generated(self, fold: n.Fold, first: int, limit: int) -> int:
        """The work of the generators from the first one on, and of what they generate."""
        if first == len(fold.generators):
            return self.work(fold.element, limit)
        generator = fold.generators[first]

        def one_round(most: int) -> int:
            tests = () if generator.test is None else (generator.test,)
            own = self.together((*(bind.value for bind in generator.binds), *tests), most)
            return own + self._generated(fold, first + 1, most)

        bounds = self.together((generator.start, generator.stop, generator.step), limit)
        return bounds + self._rounds(generator, one_round, limit)

    def _rounds(self, loop: n.For | n.Generator, one_round: Callable[[int], int], limit: int) -> int:
        """The work of all rounds; none if the loop is counted."""
        known = self._known_rounds(loop)
        if known is not None and (work := known * (1 + one_round(limit))) <= limit:
            return work
        self._count(loop, 1 + one_round(LOOP_LIMIT))
        return 0

    def _count(self, loop: n.Node, work: int) -> None:
        """One round is always possible."""
        self.weights[loop] = min(work, LOOP_LIMIT)

    def _known_rounds(self, loop: n.For | n.Generator) -> int | None:
        """The most rounds that it can make, if that can be told at a glance."""
        if not isinstance(loop.step, n.Const):
            return None
        first, last = (_lowest, _highest) if loop.step.value > 0 else (_highest, _lowest)
        start, stop = self._bound(loop.start, first), self._bound(loop.stop, last)
        if start is None or stop is None or loop.step.value == 0:
            return None
        return rounds_of(range(start, stop, loop.step.value))

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
