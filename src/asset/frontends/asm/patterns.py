"""The patterns of AsmetaL's libraries, as formulas: absence, precedence, several steps ahead, and what was before.

Operators of the past are understood where they are used, in `g(p implies o(q))` and the like. A run breaks that if p
comes without a q before it, which operators of the future say as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from asset.frontends.asm import tree as t
from asset.frontends.asm.operators import conjuncts
from asset.logic.formulas import (
    Always,
    And,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Until,
    WeakUntil,
)


def _always(p: Formula) -> Formula:
    return ForAll(Always(p))


def _weak(p: Formula, q: Formula) -> Formula:
    return ForAll(WeakUntil(p, q))


def _absent_before(p: Formula, r: Formula) -> Formula:
    """p does not hold before r, if r comes at all."""
    return _weak(Or((Not(p), _always(Not(r)))), r)


def _between(q: Formula, r: Formula, inner: Formula) -> Formula:
    return _always(Implies(And((q, Not(r))), inner))


PATTERNS: Mapping[str, tuple[int, Callable[..., Formula]]] = {
    "absenceG": (1, lambda p: _always(Not(p))),
    "absenceBefore": (2, _absent_before),
    "absenceAfter": (2, lambda p, q: _always(Implies(q, _always(Not(p))))),
    "absenceBetween": (3, lambda p, q, r: _between(q, r, _absent_before(p, r))),
    "absenceAfterUntil": (3, lambda p, q, r: _between(q, r, _weak(Not(p), r))),
    "ap": (2, lambda p, s: _weak(Not(p), s)),
    "pb": (3, lambda p, s, r: _weak(Or((Not(p), _always(Not(r)))), Or((s, r)))),
}
"""How many formulas each takes, and what it means."""


def steps_ahead(name: str, formula: Formula, count: int) -> Formula:
    """`exN` and `axN`: after so many steps."""
    for _ in range(count):
        formula = Exists(Next(formula)) if name == "exN" else ForAll(Next(formula))
    return formula


def simple_past(
    term: t.Apply, is_past: Callable[[t.Apply], bool], is_temporal: Callable[[t.Term], bool]
) -> tuple[t.Term, list[t.Term]] | None:
    """The premise p and what follows from it, if the formula is `g(p implies o(q))`, or `g(o(q))`, or with several of
    these joined by `and`; p and each q are about a state."""
    inner = term.args[0] if term.name.lower() == "g" and len(term.args) == 1 else None
    premise: t.Term = t.Truth(term.span, True)
    if isinstance(inner, t.Binary) and inner.op == "implies":
        premise, inner = inner.left, inner.right
    if inner is None or is_temporal(premise):
        return None
    parts = list(conjuncts(inner))
    of_state = (
        each.args[0] if isinstance(each, t.Apply) and is_past(each) and len(each.args) == 1 else each for each in parts
    )
    return None if any(map(is_temporal, of_state)) else (premise, parts)


PAST: Mapping[str, Callable[[Formula, Formula], Formula]] = {
    "o": lambda p, q: Not(Until(Not(q), And((p, Not(q))))),
    "h": lambda p, q: Not(Eventually(And((Not(q), Eventually(p))))),
    "y": lambda p, q: And((Not(p), Always(Implies(Next(p), q)))),
    "z": lambda p, q: Always(Implies(Next(p), q)),
}
"""What `g(p implies o(q))` means, with each operator of the past: q was once, always, or in the step before."""
