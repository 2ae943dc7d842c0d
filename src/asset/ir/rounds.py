"""Which loops must be counted, so that a firing that never ends is noticed.

The work of a loop is the number of operations (nodes) that its rounds do. If it is known from the text, as of a loop
over a range of constants or over a Set, and is at most `KNOWN_LIMIT`, the loop is not counted: it ends in time.

Of other loops, what they really do is counted: a number of operations is added whenever a round begins, and whenever a
condition in it turns out to be true behind which there is much to do. So a search through all elements that a Set could
have weighs little if the Set has few. All loops of one firing, in all functions that it calls, may do `KNOWN_LIMIT`
operations; an operation in a loop of which nobody knows how often it goes round counts as several, so that these end
at `LOOP_LIMIT`. So an interpreter notices within about a second, and within a few if the rounds are known, however
large the loop's body is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass

from asset.ir import nodes as n
from asset.ir.faults import LOOP_LIMIT
from asset.ir.program import Program
from asset.ir.types import ScalarType

KNOWN_LIMIT = 8_000_000
COMPARING = 3
"""Operations: a round of `while` is compared with earlier ones."""
SMALL = 64
"""Operations: what does no more than these is counted with what it is part of."""
MANY = 100_000
"""Rounds: nobody looks at so many things on purpose, so a loop of more is treated as one whose rounds are not known."""
FREE, KNOWN, UNKNOWN = 0, 1, KNOWN_LIMIT // LOOP_LIMIT
"""What an operation weighs: outside of loops that are counted; in one whose rounds are known; in another."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What is added for a node: when a round of a loop (`While`, `For`, `Generator`) begins, when the body of a `Case`
    is entered, and when the test of a `Generator` is true. `unknown` are the loops whose rounds are not known."""

    weights: Mapping[n.Node, int]
    unknown: Set[n.Node]

    def message(self, node: n.Node) -> str:
        """Of the fault at the node."""
        if node in self.unknown:
            return f"the loop does not end: it has done {LOOP_LIMIT:,} operations in one firing"
        return f"the loop takes too long: it has done {KNOWN_LIMIT:,} operations in one firing"


_LOOPS = (n.While, n.For, n.Fold)


def rounds_of(values: range) -> int:
    """How many rounds a loop over the range makes: `len` fails if there are 2**63 or more."""
    return max(0, -((values.start - values.stop) // values.step))


def counted_loops(program: Program) -> Counted:
    """Found once for a program: telling why its processes wait takes hundreds of interpreters of it."""
    kept = vars(program)  # as cached properties are kept there
    if _COUNTED not in kept:
        kept[_COUNTED] = _counted(program)
    found: Counted = kept[_COUNTED]
    return found


_COUNTED = "_counted_loops"


def _counted(program: Program) -> Counted:
    if not any(isinstance(node, _LOOPS) for function in program.functions for node in function.nodes):
        return Counted({}, frozenset())
    counting = _Counting(program)
    for function in program.functions:  # each comes after those that it calls
        for weight, works in counting.works.items():
            works.append(counting.together(function.body, weight))
    counting.forget()
    for number, function in reversed([*enumerate(program.functions)]):  # each comes before those that it calls
        counting.together(function.body, counting.weight_of(number))
    return Counted(counting.weights, counting.unknown)


def functions_that_count(program: Program, counted: Counted) -> frozenset[int]:
    """The functions in which something is counted, or in functions that they call."""
    found: set[int] = set()
    for number, function in enumerate(program.functions):  # each comes after those that it calls
        nodes = function.nodes
        if any(node in counted.weights or (isinstance(node, n.Call) and node.function in found) for node in nodes):
            found.add(number)
    return frozenset(found)


class _Counting:
    def __init__(self, program: Program) -> None:
        self._program = program
        self.works: dict[int, list[int]] = {FREE: [], KNOWN: []}
        """Of each function, as `work`: called outside of loops that are counted, and within."""
        self.forget()

    def forget(self) -> None:
        self.weights: dict[n.Node, int] = {}
        self.unknown: set[n.Node] = set()
        self.calls: dict[int, set[int]] = {}
        """Of each function with much to do, the weights that it is called with."""

    def weight_of(self, function: int) -> int:
        """Of its operations: a function with much to do is counted if one who calls it is, and weighs the least."""
        weights = self.calls.get(function, {FREE})
        return FREE if weights == {FREE} else max(min(weights), KNOWN)

    def together(self, nodes: Iterable[n.Node], weight: int) -> int:
        return sum(self.work(node, weight) for node in nodes)

    def work(self, node: n.Node, weight: int) -> int:
        """The most operations that it does, without what is counted by itself, if an operation weighs so much."""
        match node:
            case n.While():
                self._count(node, COMPARING + self._parts(node, UNKNOWN), UNKNOWN)
                return 0
            case n.For():
                bounds = self.together((node.start, node.stop, node.step), weight)
                return bounds + self._rounds(node, lambda inner: self.together(node.body, inner), weight)
            case n.Fold():
                default = () if node.default is None else (node.default,)
                return self._generated(node, 0, weight) + self.together(default, weight)
            case n.If():
                tests = self.together((case.test for case in node.cases), weight)
                bodies = [self._entered(case, self.together(case.body, weight), weight) for case in node.cases]
                return tests + max(*bodies, self.together(node.orelse, weight))
            case n.Call():
                return self._called(node.function, weight) + self._parts(node, weight)
        return self._parts(node, weight)

    def _parts(self, node: n.Node, weight: int) -> int:
        return 1 + self.together(n.children(node), weight)

    def _called(self, function: int, weight: int) -> int:
        if function >= len(self.works[FREE]):
            return 0  # it comes later: it is called by what is not verified
        if self.works[FREE][function] > SMALL:
            self.calls.setdefault(function, set()).add(weight)
        return self.works[min(weight, KNOWN)][function]

    def _generated(self, fold: n.Fold, first: int, weight: int) -> int:
        """The work of the generators from the first one on, and of what they generate."""
        if first == len(fold.generators):
            return self.work(fold.element, weight)
        generator = fold.generators[first]

        def one_round(inner: int) -> int:
            tests = () if generator.test is None else (generator.test,)
            own = self.together((*(bind.value for bind in generator.binds), *tests), inner)
            rest = self._generated(fold, first + 1, inner)
            return own + sum(self._entered(test, rest, inner) for test in tests) if tests else own + rest

        bounds = self.together((generator.start, generator.stop, generator.step), weight)
        return bounds + self._rounds(generator, one_round, weight)

    def _rounds(self, loop: n.For | n.Generator, one_round: Callable[[int], int], weight: int) -> int:
        """The work of all rounds; none if the loop is counted."""
        known, once = self._known_rounds(loop), one_round(weight)
        if known is not None and (work := known * (1 + once)) <= (KNOWN_LIMIT if weight == FREE else SMALL):
            return work
        inner = UNKNOWN if known is None or known > MANY else max(weight, KNOWN)
        self._count(loop, 1 + (once if inner == weight else one_round(inner)), inner)
        return 0

    def _entered(self, node: n.Node, work: int, weight: int) -> int:
        """The work behind a condition; none if it is counted by itself."""
        if weight == FREE or work <= SMALL:
            return work
        self._count(node, work, weight)
        return 0

    def _count(self, node: n.Node, work: int, weight: int) -> None:
        """One round is always possible."""
        self.weights[node] = max(self.weights.get(node, 0), min(work * weight, KNOWN_LIMIT))
        if weight == UNKNOWN:
            self.unknown.add(node)

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
