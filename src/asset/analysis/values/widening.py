"""How bounds that still grow jump ahead, so that looking for the values of a loop ends soon."""

from __future__ import annotations

from collections.abc import Iterator

from asset.analysis.values.interval import TOP, Interval, spanning
from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN
from asset.ir.program import Program


def widen(old: Interval, new: Interval, bounds: tuple[int, ...]) -> Interval:
    lo = old.lo if new.lo >= old.lo else max(b for b in bounds if b <= new.lo)
    hi = old.hi if new.hi <= old.hi else min(b for b in bounds if b >= new.hi)
    return Interval(lo, hi)


def thresholds(program: Program) -> tuple[int, ...]:
    """Where growing bounds pause: near the constants of the program, at which loops tend to end."""
    return tuple(sorted({INT_MIN, INT_MAX, *(c + d for c in _constants(program) for d in (-1, 0, 1) if c + d in TOP)}))


def _constants(program: Program) -> Iterator[int]:
    yield 0
    for variable in program.variables:
        yield from (variable.type.lo, variable.type.hi, *variable.dims)
    for family in program.families:
        yield from (bound for r in family.ranges if r for bound in spanning(r))
    for function in program.functions:
        yield from (node.value for node in function.nodes if isinstance(node, n.Const))
