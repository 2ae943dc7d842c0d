"""Branching time logic (CTL) on an explored space, by fixed points: the states in which each part of a formula holds.

All operators are made of three (Clarke, Emerson, Sistla): EX p, E[p U q] and EG p. The second is a least fixed point,
found backwards from q through p; the third is a greatest one: states of p without a successor that is left are taken
away. Each takes time linear in states and edges. A terminal state is its own successor.

If something is assumed of runs, E is about the fair ones (Emerson and Lei). EG p is had by `FairStates`; the states
from which there is a fair run at all are those of EG true, and EX p and E[p U q] must come to one of these: whether a
run is fair is a matter of its end.

What is false in the initial state is shown by a run as far as a run can show it: E holds by a run, A fails by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from asset.engine.fair_states import FairStates, Truth
from asset.engine.graph import Graph, Loss, first_loss, shortest_way
from asset.engine.store import Edge
from asset.logic.formulas import (
    Always,
    And,
    Atom,
    Constant,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
)


class Op(IntEnum):
    """In the order of native/search.h."""

    CONSTANT = 0
    OBSERVED = 1
    NEGATED = 2
    BOTH = 3
    EITHER = 4
    SOME_NEXT = 5
    SOME_UNTIL = 6
    SOME_ALWAYS = 7


@dataclass(frozen=True, slots=True)
class Part:
    """`left` and `right` are numbers of parts before this one; or `left` is the value of a constant, the number of an
    observation."""

    op: Op
    left: int = 0
    right: int = 0


class Parts:
    """The parts of a formula, the whole last; the same part is there once."""

    def __init__(self, formula: Formula, observations: Sequence[object]) -> None:
        self._observations = list(observations)
        self._numbers: dict[Part, int] = {}
        self._known: dict[Formula, int] = {}
        whole = self._number(formula)
        self.list = list(self._numbers)
        if whole != len(self.list) - 1:  # the whole is a part of another one, which was not needed in the end
            self.list.append(Part(Op.BOTH, whole, whole))

    def _add(self, op: Op, left: int = 0, right: int = 0) -> int:
        return self._numbers.setdefault(Part(op, left, right), len(self._numbers))

    def _number(self, formula: Formula) -> int:
        if formula not in self._known:
            self._known[formula] = self._made(formula)
        return self._known[formula]

    def _made(self, formula: Formula) -> int:
        match formula:
            case Constant(value):
                return self._add(Op.CONSTANT, int(value))
            case Atom(key):
                return self._add(Op.OBSERVED, self._observations.index(key))
            case Not(operand):
                return self._not(self._number(operand))
            case And(parts):
                return self._all([self._number(part) for part in parts])
            case Or(parts):
                return self._not(self._all([self._not(self._number(part)) for part in parts]))
            case Implies(left, right):
                return self._add(Op.EITHER, self._not(self._number(left)), self._number(right))
            case Iff(left, right):
                one, other = self._number(left), self._number(right)
                both = self._add(Op.BOTH, one, other)
                return self._add(Op.EITHER, both, self._add(Op.BOTH, self._not(one), self._not(other)))
            case Exists(path):
                return self._some(path)
            case ForAll(path):
                return self._every(path)
            case _:
                raise AssertionError(f"{formula} is not part of CTL")

    def _not(self, part: int) -> int:
        return self._add(Op.NEGATED, part)

    def _all(self, parts: list[int]) -> int:
        if not parts:
            return self._add(Op.CONSTANT, 1)
        first, *rest = parts
        for part in rest:
            first = self._add(Op.BOTH, first, part)
        return first

    def _some(self, path: Formula) -> int:
        a, b = self._operands(path)
        match path:
            case Next():
                return self._add(Op.SOME_NEXT, a)
            case Eventually():
                return self._add(Op.SOME_UNTIL, self._add(Op.CONSTANT, 1), a)
            case Always():
                return self._add(Op.SOME_ALWAYS, a)
            case Until():
                return self._add(Op.SOME_UNTIL, a, b)
            case WeakUntil():
                return self._add(Op.EITHER, self._add(Op.SOME_UNTIL, a, b), self._add(Op.SOME_ALWAYS, a))
            case StrongRelease():
                return self._add(Op.SOME_UNTIL, b, self._add(Op.BOTH, a, b))
            case Release():
                ends = self._add(Op.SOME_UNTIL, b, self._add(Op.BOTH, a, b))
                return self._add(Op.EITHER, ends, self._add(Op.SOME_ALWAYS, b))
            case _:
                raise AssertionError(f"{path} is not a path formula of CTL")

    def _every(self, path: Formula) -> int:
        """On every run: not on some run the contrary."""
        a, b = self._operands(path)
        match path:
            case Next():
                return self._not(self._add(Op.SOME_NEXT, self._not(a)))
            case Eventually():
                return self._not(self._add(Op.SOME_ALWAYS, self._not(a)))
            case Always():
                return self._not(self._add(Op.SOME_UNTIL, self._add(Op.CONSTANT, 1), self._not(a)))
            case Until():
                never = self._add(Op.SOME_ALWAYS, self._not(b))
                return self._not(self._add(Op.EITHER, self._broken(a, b), never))
            case WeakUntil():
                return self._not(self._broken(a, b))
            case StrongRelease():  # b until both
                both = self._add(Op.BOTH, a, b)
                never = self._add(Op.SOME_ALWAYS, self._not(both))
                return self._not(self._add(Op.EITHER, self._broken(b, both), never))
            case Release():
                return self._not(self._add(Op.SOME_UNTIL, self._not(a), self._not(b)))
            case _:
                raise AssertionError(f"{path} is not a path formula of CTL")

    def _broken(self, a: int, b: int) -> int:
        """On some run, a fails and b did not hold before or then."""
        neither = self._add(Op.BOTH, self._not(a), self._not(b))
        return self._add(Op.SOME_UNTIL, self._not(b), neither)

    def _operands(self, path: Formula) -> tuple[int, int]:
        numbers = [self._number(operand) for operand in path.operands]
        return numbers[0], numbers[-1]


class BranchingTruth:
    """The truth of all parts in all states; `observed` has the states of each observation. Without `fair` states, all
    runs count."""

    def __init__(
        self, graph: Graph, parts: Sequence[Part], observed: Sequence[Truth], fair: FairStates | None = None
    ) -> None:
        self._graph = graph
        self._parts = parts
        self._observed = observed
        self._fair = fair
        everything = [True] * len(graph.edges)
        self._live = everything if fair is None else fair.from_which(everything)
        self.truths: list[Truth] = []
        for part in parts:
            self.truths.append(self._truth(part))

    def _truth(self, part: Part) -> Truth:
        states = range(len(self._graph.edges))
        match part.op:
            case Op.CONSTANT:
                return [bool(part.left)] * len(states)
            case Op.OBSERVED:
                return list(self._observed[part.left])
            case Op.NEGATED:
                return [not value for value in self.truths[part.left]]
            case Op.BOTH:
                return [a and b for a, b in zip(self.truths[part.left], self.truths[part.right], strict=True)]
            case Op.EITHER:
                return [a or b for a, b in zip(self.truths[part.left], self.truths[part.right], strict=True)]
            case Op.SOME_NEXT:
                operand = self._with_fair_runs(part.left)
                return [any(operand[t] for t in self._targets(state)) for state in states]
            case Op.SOME_UNTIL:
                return self._some_until(self.truths[part.left], self._with_fair_runs(part.right))
            case Op.SOME_ALWAYS:
                operand = self.truths[part.left]
                return self._some_always(operand) if self._fair is None else self._fair.from_which(operand)

    def _with_fair_runs(self, part: int) -> Truth:
        """The states in which the part holds and fair runs begin."""
        return [holds and live for holds, live in zip(self.truths[part], self._live, strict=True)]

    def _targets(self, state: int) -> list[int]:
        return [target for _, target in self._graph.edges[state]] or [state]

    def _some_until(self, left: Truth, right: Truth) -> Truth:
        holds = list(right)
        pending = [state for state, value in enumerate(right) if value]
        while pending:
            for state in self._graph.predecessors[pending.pop()]:
                if left[state] and not holds[state]:
                    holds[state] = True
                    pending.append(state)
        return holds

    def _some_always(self, operand: Truth) -> Truth:
        holds = list(operand)
        left = [sum(operand[target] for target in self._targets(state)) for state in range(len(operand))]
        pending = [state for state, value in enumerate(operand) if value and not left[state]]
        while pending:
            gone = pending.pop()
            holds[gone] = False
            for state in self._graph.predecessors[gone]:
                left[state] -= 1
                if holds[state] and not left[state]:
                    pending.append(state)
        return holds

    # --- a run that shows it ------------------------------------------------------------------------------------

    def shown(self, start: int) -> Loss:
        """A run from the state in which the whole formula is false."""
        run: list[Edge] = []
        cycle = self._show(len(self._parts) - 1, False, start, run)
        return Loss(start, tuple(run), cycle)

    def _show(self, number: int, value: bool, state: int, run: list[Edge]) -> int | None:
        """Goes on with the run to where it is seen that the part has this value; the position of a cycle, if any."""
        part = self._parts[number]
        match part.op:
            case Op.NEGATED:
                return self._show(part.left, not value, state, run)
            case Op.BOTH | Op.EITHER:
                return self._show_combined(part, value, state, run)
            case Op.SOME_NEXT if value and self._graph.edges[state]:
                holds = self._with_fair_runs(part.left)
                edge = next(edge for edge in self._graph.edges[state] if holds[edge[1]])
                run.append(edge)
                return self._show(part.left, True, edge[1], run)
            case Op.SOME_UNTIL if value:
                left, right = self.truths[part.left], self._with_fair_runs(part.right)
                way = shortest_way(self._graph, state, [a or b for a, b in zip(left, right, strict=True)], right)
                run += way
                return self._show(part.right, True, run[-1][1] if way else state, run)
            case Op.SOME_ALWAYS if value:
                loss = self._run_through(number, state)
                before = len(run)
                run += loss.run
                return None if loss.cycle is None else before + loss.cycle
            case _:
                return None

    def _run_through(self, number: int, state: int) -> Loss:
        """A run for ever through states in which the part holds."""
        if self._fair is not None:
            return self._fair.run_through(self.truths[number], state)
        loss = first_loss(self._graph, self.truths[number], state)
        assert loss is not None, "the part holds in the state"
        return loss

    def _show_combined(self, part: Part, value: bool, state: int, run: list[Edge]) -> int | None:
        """One operand is enough if it decides; else the first that a run can show more of."""
        before, cycle = len(run), None
        if self.truths[part.left][state] == value:
            cycle = self._show(part.left, value, state, run)
        if self.truths[part.right][state] == value and len(run) == before and cycle is None:
            cycle = self._show(part.right, value, state, run)
        return cycle
