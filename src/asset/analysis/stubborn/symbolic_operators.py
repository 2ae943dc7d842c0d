"""What operators make of symbolic values."""

from __future__ import annotations

from asset.analysis.stubborn import symbolic_values as v
from asset.analysis.stubborn.runs import SymbolicRun
from asset.analysis.stubborn.symbolic_values import Linear, Relation, Truth, Value
from asset.analysis.values import interval as i
from asset.ir import nodes as n
from asset.ir.interpreter import binary_value, unary_value

_DIVISIONS = frozenset({n.BinaryOp.FLOORDIV, n.BinaryOp.MOD})
_SHIFTS = frozenset({n.BinaryOp.LSHIFT, n.BinaryOp.RSHIFT, n.BinaryOp.POW})


def unary(run: SymbolicRun, e: n.Unary, value: Value) -> Value:
    """Raises Fault if the run meets a model error, as all of these do."""
    value = run.simplified(value)
    match value:
        case int():
            return unary_value(e, value)
        case Truth() if e.op is n.UnaryOp.NOT:
            return value.negated()
        case Linear() if value.only is not None:
            return run.pointwise(value, lambda x: unary_value(e, x))
        case Linear() if e.op is n.UnaryOp.NEGATE:
            return _fitting(run, v.scaled(value, -1))
        case Linear() if e.op is n.UnaryOp.NOT:
            return compared(run, value, 0, n.BinaryOp.EQ)
    return run.unknown([value], i.unary(e.op, run.interval(value)), faulty=False)


def binary(run: SymbolicRun, e: n.Binary, a: Value, b: Value) -> Value:
    a, b = run.settled(a), run.settled(b)
    if isinstance(a, int) and isinstance(b, int):
        return binary_value(e, a, b)
    if isinstance(a, int | Linear) and isinstance(b, int | Linear):
        result = _exactly(run, e, a, b)
        if result is not None:
            return result
    divisor = run.interval(b)
    faulty = (e.op in _DIVISIONS and 0 in divisor) or (e.op in _SHIFTS and divisor.lo < 0)
    return run.unknown([a, b], i.binary(e.op, run.interval(a), divisor), faulty=faulty)


def _exactly(run: SymbolicRun, e: n.Binary, a: int | Linear, b: int | Linear) -> Value | None:
    """The result where it is known exactly, for what cells have been split by; else None."""
    cells = v.cells_of(a) | v.cells_of(b)
    if len(cells) == 1:
        return _of_one_cell(run, e, a, b)
    if e.op in n.COMPARISONS:
        return compared(run, a, b, e.op)
    if e.op is n.BinaryOp.ADD:
        return added(run, a, b)
    if e.op is n.BinaryOp.SUB:
        return _fitting(run, v.difference(a, b))
    if e.op is n.BinaryOp.MUL and isinstance(a, int) and isinstance(b, Linear):
        return _fitting(run, v.scaled(b, a))
    if e.op is n.BinaryOp.MUL and isinstance(a, Linear) and isinstance(b, int):
        return _fitting(run, v.scaled(a, b))
    if e.op in (n.BinaryOp.MIN, n.BinaryOp.MAX):
        return extremum(run, a, b, least=e.op is n.BinaryOp.MIN)
    smaller = min((x for x in (a, b) if isinstance(x, Linear)), key=lambda x: len(x.terms))
    if run.few_cases(smaller):
        known = run.concrete(smaller)
        return binary(run, e, known if smaller is a else a, known if smaller is b else b)
    return None


def _of_one_cell(run: SymbolicRun, e: n.Binary, a: int | Linear, b: int | Linear) -> Value:
    (cell,) = v.cells_of(a) | v.cells_of(b)
    domain = run.cells.domains[cell]
    assert domain is not None
    left, right = _tabulated(a, len(domain)), _tabulated(b, len(domain))
    # The function is given by places in the domain, so that both operands are looked up for the same value.
    places = v.function_of(cell, tuple(range(len(domain))))
    return run.pointwise(places, lambda k: binary_value(e, left[k], right[k]))


def _tabulated(value: int | Linear, size: int) -> list[int]:
    if isinstance(value, int):
        return [value] * size
    return [value.constant + w for w in value.terms[0][1]]


def added(run: SymbolicRun, a: Value, b: Value) -> Value:
    """a + b, as sums do it."""
    a, b = run.settled(a), run.settled(b)
    if isinstance(a, int | Linear) and isinstance(b, Linear):
        return _fitting(run, v.add(a, b))
    if isinstance(a, Linear) and isinstance(b, int):
        return _fitting(run, v.add(b, a))
    if isinstance(a, int) and isinstance(b, int):
        return _fitting(run, a + b)
    return run.unknown([a, b], i.binary(n.BinaryOp.ADD, run.interval(a), run.interval(b)), faulty=False)


def compared(run: SymbolicRun, a: int | Linear, b: int | Linear, op: n.BinaryOp) -> Value:
    """Whether the values compare so; decided at once where that takes few cases."""
    match op:
        case n.BinaryOp.LT | n.BinaryOp.LE:
            total = v.difference(b, a)
        case _:
            total = v.difference(a, b)
    if op in (n.BinaryOp.LE, n.BinaryOp.GE):
        total = total + 1 if isinstance(total, int) else v.add(1, total)
    relation = Relation.POSITIVE
    if op in (n.BinaryOp.EQ, n.BinaryOp.NE):
        relation = Relation.ZERO if op is n.BinaryOp.EQ else Relation.NONZERO
    if isinstance(total, int):
        total = Linear(total, ())
    return run.simplified(Truth(total, relation))


def extremum(run: SymbolicRun, a: Value, b: Value, *, least: bool) -> Value:
    """The lesser or the greater one; the run goes both ways where it can be either."""
    a, b = run.settled(a), run.settled(b)
    if isinstance(a, int | Linear) and isinstance(b, int | Linear):
        first = run.true(compared(run, a, b, n.BinaryOp.LE if least else n.BinaryOp.GE))
        return run.simplified(a if first else b)
    op = n.BinaryOp.MIN if least else n.BinaryOp.MAX
    return run.unknown([a, b], i.binary(op, run.interval(a), run.interval(b)), faulty=False)


def _fitting(run: SymbolicRun, value: int | Linear) -> Value:
    """The value, unless it may not fit 64 bits."""
    bounds = run.interval(value)
    return value if bounds.fits else run.unknown([value], bounds, faulty=True)
