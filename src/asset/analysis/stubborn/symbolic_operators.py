"""What operators make of symbolic values."""

from __future__ import annotations

from functools import lru_cache

from asset.analysis.stubborn.runs import SymbolicRun
from asset.analysis.stubborn.symbolic_values import Relation, Truth, Value, as_linear, cells_of, term_of
from asset.analysis.values import interval as i
from asset.analysis.values.domains import bits
from asset.analysis.values.linear import Linear, Weights, tabulated
from asset.ir import nodes as n
from asset.ir.interpreter import binary_value, unary_value
from asset.span import NOWHERE

_EQUALITIES = {n.BinaryOp.EQ: Relation.ZERO, n.BinaryOp.NE: Relation.NONZERO}


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
            return _fitting(run, value.times(-1))
        case Linear() if e.op is n.UnaryOp.NOT:
            return compared(run, value, 0, n.BinaryOp.EQ)
    return run.unknown([value], i.unary(e.op, run.interval(value)), faulty=False, term=term_of(e.op.value, value))


def binary(run: SymbolicRun, e: n.Binary, a: Value, b: Value) -> Value:
    a, b = run.settled(a), run.settled(b)
    if isinstance(a, int) and isinstance(b, int):
        return binary_value(e, a, b)
    if isinstance(a, int | Linear) and isinstance(b, int | Linear):
        result = _exactly(run, e, a, b)
        if result is not None:
            return result
    divisor = run.interval(b)
    faulty = (e.op in n.DIVISIONS and 0 in divisor) or (e.op in n.SHIFTS and divisor.lo < 0)
    term = term_of(e.op.value, a, b)
    return run.unknown([a, b], i.binary(e.op, run.interval(a), divisor), faulty=faulty, term=term)


def _exactly(run: SymbolicRun, e: n.Binary, a: int | Linear, b: int | Linear) -> Value | None:
    """The result if it is known exactly, for what cells have been split by; else None."""
    cells = cells_of(a) | cells_of(b)
    if len(cells) == 1:
        return _of_one_cell(run, e, a, b)
    if e.op in n.COMPARISONS:
        return compared(run, a, b, e.op)
    if e.op is n.BinaryOp.ADD:
        return added(run, a, b)
    if e.op is n.BinaryOp.SUB:
        return _fitting(run, as_linear(a).minus(as_linear(b)))
    if e.op is n.BinaryOp.MUL and isinstance(a, int) and isinstance(b, Linear):
        return _fitting(run, b.times(a))
    if e.op is n.BinaryOp.MUL and isinstance(a, Linear) and isinstance(b, int):
        return _fitting(run, a.times(b))
    if e.op in (n.BinaryOp.MIN, n.BinaryOp.MAX):
        return extremum(run, a, b, least=e.op is n.BinaryOp.MIN)
    modulus = _modulus(e.op, b)
    if modulus and isinstance(a, Linear):
        rest = _remainders(a, modulus)
        if run.few_cases(rest):
            return run.concrete(rest) % modulus
    smaller = min((x for x in (a, b) if isinstance(x, Linear)), key=lambda x: len(x.terms))
    if run.few_cases(smaller):
        known = run.concrete(smaller)
        return binary(run, e, known if smaller is a else a, known if smaller is b else b)
    return None


def _modulus(op: n.BinaryOp, b: int | Linear) -> int | None:
    """The modulus if the operator has the remainder of a division: so does the "and" with a number of ones."""
    if not isinstance(b, int) or b <= 0:
        return None
    if op is n.BinaryOp.AND and not b & (b + 1):
        return b + 1
    return b if op is n.BinaryOp.MOD else None


def _remainders(value: Linear, modulus: int) -> Linear:
    """A sum with the same remainder, to which each cell adds no more than that of what it does."""
    terms = tuple((cell, tuple(w % modulus for w in weights)) for cell, weights in value.terms)
    return Linear(value.constant % modulus, terms)


def _of_one_cell(run: SymbolicRun, e: n.Binary, a: int | Linear, b: int | Linear) -> Value:
    (cell,) = cells_of(a) | cells_of(b)
    left, right = ((x, ()) if isinstance(x, int) else (x.constant, x.terms[0][1]) for x in (a, b))
    size = run.cells.full[cell].bit_length()
    return run.tabulated(cell, *_operated(e.op, left, right, run.mask(cell), size))


_Operand = tuple[int, Weights]
"""A constant, and what a function of the cell adds to it; without weights, nothing."""


@lru_cache(maxsize=65536)
def _operated(op: n.BinaryOp, left: _Operand, right: _Operand, mask: int, size: int) -> tuple[Weights, int]:
    """What the operator makes of two functions of a cell, for its places in the mask; and for which it is an error."""
    e = n.Binary(NOWHERE, op, n.Const(NOWHERE, 0), n.Const(NOWHERE, 0))
    (a, first), (b, second) = left, right
    first, second = first or (0,) * size, second or (0,) * size
    return tabulated(lambda k: binary_value(e, a + first[k], b + second[k]), bits(mask), size)


def added(run: SymbolicRun, a: Value, b: Value) -> Value:
    """a + b, as sums do it."""
    a, b = run.settled(a), run.settled(b)
    if isinstance(a, int | Linear) and isinstance(b, int | Linear):
        return _fitting(run, as_linear(a).plus(as_linear(b)))
    bounds, term = i.binary(n.BinaryOp.ADD, run.interval(a), run.interval(b)), term_of("+", a, b)
    return run.unknown([a, b], bounds, faulty=False, term=term)


def compared(run: SymbolicRun, a: int | Linear, b: int | Linear, op: n.BinaryOp) -> Value:
    """Whether the values compare so; decided at once if that takes few cases."""
    first, second = (b, a) if op in (n.BinaryOp.LT, n.BinaryOp.LE) else (a, b)
    total = as_linear(first).minus(as_linear(second))
    if op in (n.BinaryOp.LE, n.BinaryOp.GE):
        total = total.plus(Linear(1))
    return run.simplified(Truth(total, _EQUALITIES.get(op, Relation.POSITIVE)))


def extremum(run: SymbolicRun, a: Value, b: Value, *, least: bool) -> Value:
    """The lesser or the greater one; the run goes both ways if it can be either."""
    a, b = run.settled(a), run.settled(b)
    if isinstance(a, int | Linear) and isinstance(b, int | Linear):
        first = run.true(compared(run, a, b, n.BinaryOp.LE if least else n.BinaryOp.GE))
        return run.simplified(a if first else b)
    op = n.BinaryOp.MIN if least else n.BinaryOp.MAX
    term = term_of(op.value, a, b)
    return run.unknown([a, b], i.binary(op, run.interval(a), run.interval(b)), faulty=False, term=term)


def _fitting(run: SymbolicRun, value: Linear) -> Value:
    """The value, unless it may not fit 64 bits."""
    bounds = run.interval(value)
    if not bounds.fits:
        return run.unknown([value], bounds, faulty=True)
    return value if value.terms else value.constant
