"""The meaning of an LTL formula on a run that ends in a cycle: the specification of everything else in this package.

A run is a prefix and a cycle of states; of a state only the keys of the atoms that hold in it matter. The truth of
a formula is computed at all positions at once, subformulas first. An until is the least solution of `u = right or
(left and next u)`, a release the greatest one of `r = right and (left or next r)`: going backwards, round the cycle
twice finds either.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Sequence

from asset.logic.formulas import (
    Always,
    And,
    Atom,
    Constant,
    Eventually,
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
    subformulas,
)

Valuation = Container[Hashable]
Truth = list[bool]


def holds(formula: Formula, prefix: Sequence[Valuation], cycle: Sequence[Valuation]) -> bool:
    """Whether the formula holds at the first state of the run."""
    return truth(formula, prefix, cycle)[0]


def truth(formula: Formula, prefix: Sequence[Valuation], cycle: Sequence[Valuation]) -> Truth:
    """Whether the formula holds, for each position of prefix and cycle."""
    return truth_of_parts(formula, prefix, cycle)[formula]


def truth_of_parts(formula: Formula, prefix: Sequence[Valuation], cycle: Sequence[Valuation]) -> dict[Formula, Truth]:
    """The same for each subformula: what a report shows of a run."""
    if not cycle:
        raise ValueError("a run for ever has a cycle")
    states = [*prefix, *cycle]
    known: dict[Formula, Truth] = {}
    for part in subformulas(formula):
        known[part] = _truth(part, states, len(prefix), known)
    return known


def _truth(formula: Formula, states: list[Valuation], back: int, known: dict[Formula, Truth]) -> Truth:
    below = [known[operand] for operand in formula.operands]
    match formula:
        case Constant(value):
            return [value] * len(states)
        case Atom(key):
            return [key in state for state in states]
        case Not():
            return [not a for a in below[0]]
        case And():
            return [all(at) for at in zip(*below, strict=True)] if below else [True] * len(states)
        case Or():
            return [any(at) for at in zip(*below, strict=True)] if below else [False] * len(states)
        case Implies():
            return [not a or b for a, b in zip(*below, strict=True)]
        case Iff():
            return [a == b for a, b in zip(*below, strict=True)]
        case Next():
            return [*below[0][1:], below[0][back]]
        case _:
            step, start = FIXPOINTS[type(formula)]
            return _fixpoint(step, below, back, start)


Step = Callable[..., bool]

FIXPOINTS: dict[type[Formula], tuple[Step, bool]] = {
    Eventually: (lambda after, a: a or after, False),
    Always: (lambda after, a: a and after, True),
    Until: (lambda after, a, b: b or (a and after), False),
    WeakUntil: (lambda after, a, b: b or (a and after), True),
    Release: (lambda after, a, b: b and (a or after), True),
    StrongRelease: (lambda after, a, b: b and (a or after), False),
}
"""How each operator follows from its value in the next state, and whether its greatest solution is meant."""


def _fixpoint(step: Step, below: list[Truth], back: int, start: bool) -> Truth:
    length = len(below[0])
    result = [start] * length
    for _ in range(2):  # the first round finds what holds somewhere on the cycle, the second carries it round
        after = result[back]
        for i in reversed(range(length)):
            result[i] = after = step(after, *(values[i] for values in below))
    return result
