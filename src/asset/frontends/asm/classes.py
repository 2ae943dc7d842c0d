"""Values of an input that a step cannot tell apart: it is enough to choose one of each class.

What a step does with an input is written in the expressions that its local stands in. For each of these, the largest
part that depends on nothing else is evaluated for every value; if such a part is compared with a cell of the state, it
is compared with everything that the cell can be. Two values for which all of that is the same lead the step to the same
state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from asset.ir import nodes as n
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import binary_value, unary_value
from asset.ir.program import Function, Variable

MOST_COMPARED = 4_096
"""Values of a cell that an input may be compared with."""

Classes = Mapping[int, tuple[tuple[int, ...], ...]]
"""By the local that has an input, its values in classes, each in increasing order."""


def classes(function: Function, inputs: Mapping[int, tuple[int, ...]], variables: Sequence[Variable]) -> Classes:
    """The values of the inputs, by the locals that have them, in classes that the function does not tell apart."""
    uses: dict[int, list[_Use]] = {slot: [] for slot in inputs}
    for root in _expressions(function.body):
        for slot, use in _Uses(inputs, variables).of(root):
            uses[slot].append(use)
    return {slot: _apart(codes, uses[slot]) for slot, codes in inputs.items()}


_Use = Callable[[int], Hashable]
"""What a use of an input makes of its value."""


def _apart(codes: tuple[int, ...], uses: list[_Use]) -> tuple[tuple[int, ...], ...]:
    found: dict[tuple[Hashable, ...], list[int]] = {}
    for code in codes:
        found.setdefault(tuple(use(code) for use in uses), []).append(code)
    return tuple(tuple(each) for each in found.values())


def _expressions(statements: Sequence[n.Stmt]) -> Iterator[n.Expr]:
    """The expressions of the statements, and of those below them."""
    for statement in statements:
        for part in n.children(statement):
            if isinstance(part, n.Case):
                yield part.test
                yield from _expressions(part.body)
            elif isinstance(part, n.Stmt):
                yield from _expressions((part,))
            else:
                yield part  # type: ignore[misc]  # statements have no other parts


@dataclass(frozen=True, slots=True)
class _Uses:
    inputs: Mapping[int, tuple[int, ...]]
    variables: Sequence[Variable]

    def of(self, e: n.Node) -> Iterator[tuple[int, _Use]]:
        """The uses of inputs in an expression."""
        slot = self._only(e)
        if slot is not None:
            yield slot, lambda code: _value(e, code)
            return
        match e:
            case n.Binary(op=op, left=left, right=right) if op in n.COMPARISONS:
                for mine, other, flip in ((left, right, False), (right, left, True)):
                    cells = self._cell(other)
                    if cells is not None and any(self._only(each) is not None for each, _ in _ways(mine)):
                        yield from self._of_comparison(e, mine, cells, flip)
                        yield from self.of(other)
                        return
        for part in n.children(e):
            yield from self.of(part)

    def _of_comparison(self, e: n.Binary, mine: n.Expr, cells: range, flip: bool) -> Iterator[tuple[int, _Use]]:
        """What is compared may be one of several values, as conditions say."""
        for each, test in _ways(mine):
            slot = self._only(each)
            if slot is not None and not test:
                yield slot, _compared(e, each, cells, flip)
            else:
                yield from self.of(each)

    def _only(self, e: n.Node) -> int | None:
        """The input that the expression depends on, if it does on nothing else."""
        slots: set[int] = set()
        for each in n.walk(e):
            if isinstance(each, n.Local) and each.slot in self.inputs:
                slots.add(each.slot)
            elif not isinstance(each, n.Const | n.Table | n.Unary | n.Binary | n.And | n.Or | n.Conditional):
                return None
        return slots.pop() if len(slots) == 1 else None

    def _cell(self, e: n.Node) -> range | None:
        """What the expression can be, if it is a cell or a constant."""
        if isinstance(e, n.Const):
            return range(e.value, e.value + 1)
        if not isinstance(e, n.Read):
            return None
        of = self.variables[e.variable].type
        return range(of.lo, of.hi + 1) if of.hi - of.lo < MOST_COMPARED else None


def _ways(e: n.Expr) -> Iterator[tuple[n.Expr, bool]]:
    """What a conditional expression may be, and with `True` what is tested for that."""
    if not isinstance(e, n.Conditional):
        yield e, False
        return
    yield e.test, True
    yield from _ways(e.then)
    yield from _ways(e.orelse)


def _compared(e: n.Binary, mine: n.Expr, cells: range, flip: bool) -> _Use:
    def outcomes(code: int) -> Hashable:
        value = _value(mine, code)
        if not isinstance(value, int):
            return value
        return tuple(binary_value(e, *((each, value) if flip else (value, each))) for each in cells)

    return outcomes


def _value(e: n.Node, code: int) -> Hashable:
    """The value of an expression that depends on an input only, or if it fails, the input itself: that is said then."""
    try:
        return _evaluated(e, code)
    except Fault:
        return ("fails", code)


def _evaluated(e: n.Node, code: int) -> int:
    match e:
        case n.Const(value=value):
            return value
        case n.Local():
            return code
        case n.Unary(operand=operand):
            return unary_value(e, _evaluated(operand, code))
        case n.Binary(left=left, right=right):
            return binary_value(e, _evaluated(left, code), _evaluated(right, code))
        case n.And(operands=operands) | n.Or(operands=operands):
            value = 0
            for each in operands:
                value = _evaluated(each, code)
                if bool(value) is isinstance(e, n.Or):
                    break
            return value
        case n.Conditional(test=test, then=then, orelse=orelse):
            return _evaluated(then if _evaluated(test, code) else orelse, code)
    assert isinstance(e, n.Table)
    places = [_evaluated(each, code) for each in e.indices]
    at = 0
    for place, size in zip(places, e.dims, strict=True):
        if not 0 <= place < size:
            raise Fault(FaultKind.INDEX, e.span, "")
        at = at * size + place
    return e.values[at]
