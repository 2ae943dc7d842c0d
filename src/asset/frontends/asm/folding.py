"""Loops in expressions: over the elements of a set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import Element, Elements, Kind, Static, Truths, code_of, flattened, kind_over, value_of
from asset.frontends.asm.lookup import kind_of_all
from asset.frontends.asm.values import Scalar, SetValue, TupleValue, Value, of_static
from asset.ir import nodes as n
from asset.span import Span


class Folding:
    """Writes folds over sets; `varying` has the slots of loops."""

    def __init__(self, writer: c.Writer, varying: set[int]) -> None:
        self._writer = writer
        self._varying = varying
        self._possible: dict[int, tuple[int, ...]] = {}
        """The codes that a slot may have, if that is known."""

    def fold(self, op: n.FoldOp, domain: SetValue, element: Callable[[Value], n.Expr], span: Span) -> n.Expr:
        """The fold of the elements of the set."""
        if len(domain.universe) <= 1 or not have_codes(domain.universe):
            return self._written_out(op, domain, element, span)
        slot, binds, value = self.iterated(domain.universe, span)
        test = None if domain.test is None else domain.test(value)
        stop = self.stop(domain.universe)
        start = c.const(span, self.start(domain.universe))
        generator = n.Generator(span, slot, start, c.const(span, stop), c.const(span, 1), binds, _needed(test))
        body = element(value)
        if test is not None and c.known(test) == 0:
            return c.const(span, int(op is n.FoldOp.ALL))
        if op in (n.FoldOp.ANY, n.FoldOp.ALL) and c.known(body) is not None and test is None:
            return c.const(span, int(c.known(body) != 0))
        return n.Fold(span, op, (generator,), body)

    def _written_out(self, op: n.FoldOp, domain: SetValue, element: Callable[[Value], n.Expr], span: Span) -> n.Expr:
        """One after the other: there are few, or they are sets or sequences."""
        values = [of_static(each, span) for each in domain.universe]
        there = [c.const(span, 1) if domain.test is None else domain.test(value) for value in values]
        pairs = list(zip(there, map(element, values), strict=True))
        if op is n.FoldOp.ALL:
            return c.conjunction(
                span, (c.disjunction(span, (c.negation(span, inside), body)) for inside, body in pairs)
            )
        if op is n.FoldOp.ANY:
            return c.disjunction(span, (c.conjunction(span, pair) for pair in pairs))
        zero = c.const(span, 0)
        parts = [c.conditional(span, test, body, zero) for test, body in pairs]
        return reduce(lambda a, b: c.binary(span, n.BinaryOp.ADD, a, b), parts, zero)

    def iterated(self, universe: tuple[Static, ...], span: Span) -> tuple[int, tuple[n.Bind, ...], Value]:
        """A slot that goes through the universe, what else is bound with it, and the element.

        The slot is the element itself if the codes are consecutive; else it counts from 0, up to `stop`.
        """
        slot = self._slot("each")
        if is_range(universe):
            kind = kind_of_all(universe, span)
            codes = self._possible[slot] = _codes(universe)
            return slot, (), Scalar(n.Local(span, slot), kind, within=codes)
        binds, parts = [], []
        for values in zip(*map(flattened, universe), strict=True):
            kind = kind_of_all(values, span)
            column = tuple(code_of(each, kind) for each in values)
            inner = self._slot("part")
            self._possible[inner] = tuple(sorted(set(column)))
            table = n.Table(span, "element", (len(column),), column, (n.Local(span, slot),))
            binds.append(n.Bind(span, inner, table))
            parts.append(Scalar(n.Local(span, inner), kind, within=self._possible[inner]))
        return slot, tuple(binds), _shaped(universe[0], parts)

    @staticmethod
    def start(universe: tuple[Static, ...]) -> int:
        return _codes(universe)[0] if is_range(universe) else 0

    @staticmethod
    def stop(universe: tuple[Static, ...]) -> int:
        return _codes(universe)[-1] + 1 if is_range(universe) else len(universe)

    def _slot(self, name: str) -> int:
        slot = self._writer.slot(name)
        self._varying.add(slot)
        return slot

    @property
    def known(self) -> Mapping[int, tuple[int, ...]]:
        """The codes that slots of loops may have."""
        return self._possible

    def possible(self, value: Scalar) -> tuple[Static, ...] | None:
        """The values that it may have, if they are known to be few."""
        if value.codes is not None:
            return tuple(value_of(value.kind, code) for code in value.codes)
        return every(value.kind)


def every(kind: Kind) -> tuple[Static, ...] | None:
    """All values of the kind, if they are finite."""
    match kind:
        case Truths():
            return (False, True)
        case Elements():
            return tuple(value_of(kind, code) for code in sorted(kind.listed))
    return None


def have_codes(universe: tuple[Static, ...]) -> bool:
    """Whether these are scalars, or tuples of scalars."""
    return all(isinstance(part, bool | int | Fraction | Element) for each in universe for part in flattened(each))


def is_range(universe: tuple[Static, ...]) -> bool:
    """Whether these are scalars whose codes are consecutive."""
    if not universe or isinstance(universe[0], tuple) or not have_codes(universe):
        return False
    codes = _codes(universe)
    return codes == tuple(range(codes[0], codes[0] + len(codes)))


def _codes(universe: tuple[Static, ...]) -> tuple[int, ...]:
    """Those of scalars. Numbers are counted in common parts."""
    kind = kind_over(universe)
    return tuple(code_of(each, kind) for each in universe)


def _shaped(like: Static, parts: list[Scalar]) -> Value:
    if isinstance(like, tuple):
        return TupleValue(tuple(_shaped(part, parts) for part in like))
    return parts.pop(0)


def _needed(test: n.Expr | None) -> n.Expr | None:
    return None if test is None or c.known(test) == 1 else test
