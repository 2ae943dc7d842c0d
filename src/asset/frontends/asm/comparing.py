"""Inputs that are numbers without an end, and are only compared: it is enough to take one number of each kind.

If a machine does no more with an input than to compare it with numbers that are known, it cannot tell two values apart
that lie between the same two of these. So the input takes those numbers, and one between each two that are no
neighbours, one before the first and one behind the last. Variables that it is bound to are followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from asset.frontends.asm import tree as t
from asset.frontends.asm.kinds import reduced

Values = Callable[[t.Term], frozenset[int | Fraction] | None]
"""The numbers that a term can have; None if these are not known."""

_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
_NAMED = ("eq", "neq", "lt", "le", "gt", "ge")
_WHETHER = ("isDef", "isUndef")


class _MoreThanCompared(Exception):
    """Something else is done with the input, or with what is not known."""


def _between(a: int | Fraction, b: int | Fraction) -> int | Fraction:
    """A number between these, an integer if there is one."""
    return floor(a) + 1 if floor(a) + 1 < b else reduced(Fraction(a + b) / 2)


class Comparing:
    """What is done with inputs in a machine. `values` says what numbers terms can have."""

    def __init__(self, machine: t.Machine, values: Values) -> None:
        self._values = values
        self._rules = {each.name: each for each in machine.rules}
        self._definitions = {each.name: each for each in machine.definitions}
        self._uses: dict[str, list[tuple[t.Node, t.Node]]] = {}
        """Of each name, where it stands: what is around it, and itself."""
        initial = (each for one in machine.initials for each in one.functions)
        for node in t.walk(*machine.definitions, *machine.rules, *machine.specifications, *initial):
            binding = _patterns(node)
            for part in t.parts(node):
                if isinstance(part, t.Name | t.Apply) and not any(part is each for each in binding):
                    self._uses.setdefault(part.name, []).append((node, part))

    def enough(self, name: str, least: int | None, dense: bool = False) -> frozenset[int | Fraction] | None:
        """Numbers that are enough for an input that is at least `least`; None if more is done with it.

        If it is `dense`, a real number, there is one between any two."""
        try:
            compared = frozenset(self._compared(name, set()))
        except _MoreThanCompared:
            return None
        places = sorted(compared or {0})  # if it is only asked whether it is there, any will do
        if not dense:
            places = sorted({whole for each in places for whole in (floor(each), ceil(each))})
        between = (_between(a, b) for a, b in pairwise(places) if dense or floor(a) + 1 < b)
        found = {*places, *between, places[0] - 1, places[-1] + 1}
        return frozenset(each for each in found if least is None or each >= least)

    def is_only_compared(self, name: str) -> bool:
        """Whether nothing is done with it but to compare it with what has known values."""
        return self.enough(name, None) is not None

    def _compared(self, name: str, seen: set[str]) -> Iterator[int | Fraction]:
        """The numbers that it is compared with, as are the variables that it is bound to."""
        if name in seen:
            return
        seen.add(name)
        for around, here in self._uses.get(name, ()):
            yield from self._use(around, here, seen)

    def _use(self, around: t.Node, here: t.Node, seen: set[str]) -> Iterator[int | Fraction]:
        match around:
            case t.Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                yield from self._numbers(right if here is left else left)
            case t.Apply(name=name, args=(left, right)) if name in _NAMED:
                yield from self._numbers(right if here is left else left)
            case t.Apply(name=name) if name in _WHETHER:
                return
            case t.CaseTerm(subject=subject, arms=arms) | t.CaseRule(subject=subject, arms=arms) if here is subject:
                for pattern, _ in arms:
                    yield from self._numbers(pattern)
            case t.LetTerm(bindings=bindings) | t.LetRule(bindings=bindings):
                yield from self._bound([p for p, value in bindings if value is here], seen)
            case t.CallRule(name=name, args=args) if name in self._rules:
                yield from self._given(self._rules[name].params, args, here, seen)
            case t.Apply(name=name, args=args) if name in self._definitions:
                params = tuple(each.pattern for each in self._definitions[name].params)
                yield from self._given(params, args, here, seen)
            case t.Definition(name=name, body=body) if body is here and name in self._definitions:
                yield from self._compared(name, seen)
            case _:
                raise _MoreThanCompared

    def _given(
        self, params: tuple[t.Term, ...], args: tuple[t.Term, ...], here: t.Node, seen: set[str]
    ) -> Iterator[int | Fraction]:
        if len(params) != len(args):
            raise _MoreThanCompared
        yield from self._bound([p for p, arg in zip(params, args, strict=True) if arg is here], seen)

    def _bound(self, patterns: list[t.Term], seen: set[str]) -> Iterator[int | Fraction]:
        for pattern in patterns:
            if not isinstance(pattern, t.Name):
                raise _MoreThanCompared
            yield from self._compared(pattern.name, seen)
        if not patterns:
            raise _MoreThanCompared

    def _numbers(self, term: t.Term) -> Iterator[int | Fraction]:
        if isinstance(term, t.Undef):
            return
        found = self._values(term)
        if found is None:
            raise _MoreThanCompared
        yield from found


def _patterns(node: t.Node) -> tuple[t.Term, ...]:
    """What the node gives names to."""
    match node:
        case t.Binder(pattern=pattern):
            return (pattern,)
        case t.RuleDefinition(params=params):
            return params
        case t.LetTerm(bindings=bindings) | t.LetRule(bindings=bindings):
            return tuple(pattern for pattern, _ in bindings)
    return ()
