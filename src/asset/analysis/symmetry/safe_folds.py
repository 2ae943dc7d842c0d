"""Folds that cannot be model errors, as far as the text tells: they give the same in whatever order they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from asset.ir import nodes as n
from asset.ir.program import Program, Variable

Bounds = tuple[int, int]
"""The least and the greatest number."""

_ASSIGNING = (n.SetLocal, n.Bind, n.For, n.Generator)
_HARMLESS = frozenset({*n.COMPARISONS, n.BinaryOp.ADD, n.BinaryOp.SUB})
_LEAST = -(2**62)


def slot_bounds(program: Program, function: int) -> dict[int, Bounds]:
    """Of the locals of a function that get a value in one place only, and of its indices."""
    found: dict[int, Bounds] = {}
    body, indices = program.functions[function].body, program.functions[function].parameters
    assigned = Counter(each.slot for each in n.walk(*body) if isinstance(each, _ASSIGNING))
    for family in program.families:
        for slot, codes in enumerate(family.ranges if family.function == function else ()):
            known = [*codes, *found.get(slot, ())]
            if known and not assigned[slot]:
                found[slot] = min(known), max(known)
    for each in n.walk(*body):
        if isinstance(each, _ASSIGNING) and assigned[each.slot] == 1 and each.slot >= indices:
            bounds = _assigned(each, _Reading(found, program.variables))
            if bounds is not None:
                found[each.slot] = bounds
    return found


def _assigned(s: n.Node, reading: _Reading) -> Bounds | None:
    """Of what gives a slot its only value."""
    match s:
        case n.SetLocal(value=value) | n.Bind(value=value):
            return reading.bounds(value)
        case n.For() | n.Generator():
            start, stop = reading.bounds(s.start), reading.bounds(s.stop)
            ahead = isinstance(s.step, n.Const) and s.step.value > 0
            return (start[0], max(start[0], stop[1] - 1)) if start and stop and ahead else None
    return None


def never_fails(e: n.Expr, slots: Mapping[int, Bounds], variables: Sequence[Variable]) -> bool:
    """Whether evaluating it is no model error: no arithmetic but sums, and all indices are in bounds."""
    return _Reading(slots, variables).safe(e)


class _Reading:
    """What is known of locals here."""

    def __init__(self, slots: Mapping[int, Bounds], variables: Sequence[Variable]) -> None:
        self._slots = slots
        self._variables = variables

    def bounds(self, e: n.Expr) -> Bounds | None:
        match e:
            case n.Const(value=value):
                return value, value
            case n.Local(slot=slot):
                return self._slots.get(slot)
            case n.Read(variable=variable):
                return self._variables[variable].type.lo, self._variables[variable].type.hi
            case n.Table(values=values):
                return min(values), max(values)
            case n.Conditional(then=then, orelse=orelse):
                a, b = self.bounds(then), self.bounds(orelse)
                return (min(a[0], b[0]), max(a[1], b[1])) if a and b else None
            case n.Binary(op=n.BinaryOp.ADD | n.BinaryOp.SUB as op, left=left, right=n.Const(value=value)):
                found, by = self.bounds(left), value if op is n.BinaryOp.ADD else -value
                return None if found is None else (found[0] + by, found[1] + by)
        return None

    def safe(self, e: n.Expr) -> bool:
        match e:
            case n.Const() | n.Local():
                return True
            case n.Read(variable=variable, indices=indices):
                return self._in_bounds(indices, self._variables[variable].dims)
            case n.Table(indices=indices, dims=dims):
                return self._in_bounds(indices, dims)
            case n.Unary(op=n.UnaryOp.NOT, operand=operand):
                return self.safe(operand)
            case n.Binary(op=op, left=left, right=right):
                return op in _HARMLESS and self.safe(left) and self.safe(right)
            case n.And(operands=operands):
                return self._in_turn(operands, True)
            case n.Or(operands=operands):
                return self._in_turn(operands, False)
            case n.Conditional(test=test, then=then, orelse=orelse):
                return self.safe(test) and self._given(test, True).safe(then) and self._given(test, False).safe(orelse)
            case n.Fold(generators=generators, element=element, default=default):
                return self._folded(generators, element) and (default is None or self.safe(default))
        return False

    def _folded(self, generators: Iterable[n.Generator], element: n.Expr) -> bool:
        here = self
        for each in generators:
            parts = (each.start, each.stop, each.step, *(bind.value for bind in each.binds))
            if not all(map(here.safe, parts)):
                return False
            if each.test is not None:
                if not here.safe(each.test):
                    return False
                here = here._given(each.test, True)
        return here.safe(element)

    def _in_bounds(self, indices: tuple[n.Expr, ...], dims: tuple[int, ...]) -> bool:
        known = [self.bounds(index) for index in indices]
        inside = all(b is not None and b[0] >= 0 and b[1] < size for b, size in zip(known, dims, strict=True))
        return inside and all(map(self.safe, indices))

    def _in_turn(self, operands: tuple[n.Expr, ...], all_hold: bool) -> bool:
        """An operand is evaluated only if those before it hold, or in `or`, if they do not."""
        here = self
        for operand in operands:
            if not here.safe(operand):
                return False
            here = here._given(operand, all_hold)
        return True

    def _given(self, condition: n.Expr, holds: bool) -> _Reading:
        """With what is known of locals if the condition holds, or if it does not."""
        match condition:
            case n.And(operands=operands) if holds:
                here = self
                for operand in operands:
                    here = here._given(operand, True)
                return here
            case n.Unary(op=n.UnaryOp.NOT, operand=operand):
                return self._given(operand, not holds)
            case n.Binary(op=op, left=n.Local(slot=slot), right=n.Const(value=value)) if op in _NARROWING:
                low, high = self._slots.get(slot, (_LEAST, -_LEAST))
                least, most = _NARROWING[op](value) if holds else _NARROWING[_OPPOSITE[op]](value)
                return _Reading({**self._slots, slot: (max(low, least), min(high, most))}, self._variables)
        return self


_NARROWING: Mapping[n.BinaryOp, Callable[[int], Bounds]] = {
    n.BinaryOp.GE: lambda value: (value, -_LEAST),
    n.BinaryOp.GT: lambda value: (value + 1, -_LEAST),
    n.BinaryOp.LE: lambda value: (_LEAST, value),
    n.BinaryOp.LT: lambda value: (_LEAST, value - 1),
}
_OPPOSITE = {
    n.BinaryOp.GE: n.BinaryOp.LT,
    n.BinaryOp.GT: n.BinaryOp.LE,
    n.BinaryOp.LE: n.BinaryOp.GT,
    n.BinaryOp.LT: n.BinaryOp.GE,
}
