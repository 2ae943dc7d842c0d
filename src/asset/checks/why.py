"""Why a property is false in a state: the parts that fail, with the values of their operands.

A conjunction is false because of its false operands, `all(…)` because of the elements that are, a disjunction because
of each of its operands, a helper method because of what it returned, `return False` because of the test above it. What
is left are comparisons and single values.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from asset.checks.parts_shown import parts_shown
from asset.checks.rendering import scalar
from asset.ir import nodes as n
from asset.ir.evaluation import Completion
from asset.ir.faults import Fault
from asset.ir.footprint import Footprints
from asset.ir.interpreter import IntegerFrame
from asset.ir.program import Program, State
from asset.ir.requirements import Predicate
from asset.ir.types import BoolType, EnumType
from asset.span import Span
from asset.verdict import Reason, Value

MOST = 12
"""So many reasons are told, and so many cells for each; a reader looks at no more."""

Cells = dict[str, Value]


def why(program: Program, predicate: Predicate, state: State) -> tuple[Reason, ...]:
    """The reasons for which the predicate is false in the state; none if there is no code to look at."""
    if not program.functions:
        return ()
    return tuple(Explaining(program, state).reasons(predicate))[:MOST]


@dataclass(frozen=True, slots=True)
class _Returned:
    """The `return` that a call ended with, and its locals then."""

    statement: n.Return
    frame: IntegerFrame


class Explaining(Footprints):
    """An interpreter that remembers where calls returned, and which cells were read."""

    def __init__(self, program: Program, state: State) -> None:
        super().__init__(program)
        self._state = state
        self._last: _Returned | None = None
        self._origins: dict[int, n.Expr] = {}  # of the locals that generators give a name to

    def reasons(self, predicate: Predicate) -> Iterator[Reason]:
        self._load(self._state)
        # What is evaluated here and not for the predicate itself may be a model error: no reason to tell.
        with suppress(Fault):
            yield from self._of_call(predicate.function, [], value=bool(predicate.messages))

    # --- what a value is due to ---------------------------------------------------------------------------------

    def _of_call(self, function: int, args: list[int], value: bool) -> Iterator[Reason]:
        self._last = None
        self.call(function, args)
        returned = self._last
        if returned is None or returned.statement.value is None:
            return
        if not isinstance(returned.statement.value, n.Const):
            yield from self._of(returned.statement.value, returned.frame, value)
            return
        tests = list(tests_above(self.program.functions[function].body, returned.statement))
        for test in tests[-1:]:
            yield from self._of(test, returned.frame, True)

    def _of(self, e: n.Expr, frame: IntegerFrame, value: bool) -> Iterator[Reason]:
        """Why the expression has this truth value."""
        match e:
            case n.Unary(op=n.UnaryOp.NOT) if e.operand.span == e.span:
                # `a != b` in the model is `not a == b` here: what is said is said of the text.
                due = self._of(e.operand, frame, not value)
                yield from (replace(each, values=str(value)) if each.span == e.span else each for each in due)
            case n.Unary(op=n.UnaryOp.NOT):
                yield from self._of(e.operand, frame, not value)
            case n.And() | n.Or():
                for operand in self.deciding(e, frame, value):
                    yield from self._of(operand, frame, value)
            case n.Fold(op=n.FoldOp.ALL | n.FoldOp.ANY):
                yield self._of_elements(e, frame, value)
            case n.Call():
                yield from self._of_call(e.function, [self._value(a, frame) for a in e.args], value)
            case n.Conditional():
                yield from self._of(e.then if self._value(e.test, frame) else e.orelse, frame, value)
            case _:
                yield self._leaf(e, frame)

    def deciding(self, e: n.And | n.Or, frame: IntegerFrame, value: bool) -> Iterator[n.Expr]:
        """The operands that have the value themselves; one that is not evaluated for `e` may be a model error."""
        for operand in e.operands:
            with suppress(Fault):
                if bool(self._value(operand, frame)) is value:
                    yield operand

    def _of_elements(self, e: n.Fold, frame: IntegerFrame, value: bool) -> Reason:
        """Due to the elements that have the value; if all are of the same simple form, their cells say it."""
        parts: list[Reason] = []
        for bound in self._elements(e, frame):
            if bool(self._value(e.element, frame)) is value and len(parts) < MOST:
                parts += (_with_cells(part, bound) for part in self._of(e.element, frame, value))
        cells = dict(cell for part in parts for cell in part.cells)
        if parts and all(not part.parts and part.text == parts[0].text for part in parts):
            parts = []
        return Reason(text_of(e.span), str(value), e.span, () if parts else _first(cells), tuple(parts[:MOST]))

    def _leaf(self, e: n.Expr, frame: IntegerFrame) -> Reason:
        self._reads.clear()
        values = self._with_values(e, frame)
        cells = self._seen()
        return Reason(text_of(e.span), values, e.span, _first(self._counted(e, frame) or cells))

    # --- values -------------------------------------------------------------------------------------------------

    def _with_values(self, e: n.Expr, frame: IntegerFrame) -> str:
        """`2 <= 1`: a comparison with the values of its operands; of anything else, its value."""
        if not (isinstance(e, n.Binary) and e.op in n.COMPARISONS):
            return self._shown(e, self._value(e, frame))
        left, right = self._value(e.left, frame), self._value(e.right, frame)
        enum = self._enum(e.left) or self._enum(e.right)
        if enum is not None:
            return f"{enum.show(left)} {e.op.value} {enum.show(right)}"
        return f"{self._shown(e.left, left)} {e.op.value} {self._shown(e.right, right)}"

    def _shown(self, e: n.Expr, value: int) -> str:
        source = self._origin(e)
        if isinstance(source, n.Read):
            return str(scalar(self.program.variables[source.variable].type, value))
        return str(bool(value)) if _is_boolean(source) else str(value)

    def _enum(self, e: n.Expr) -> EnumType | BoolType | None:
        """The type by whose names the values that the expression is compared with are shown."""
        source = self._origin(e)
        kind = self.program.variables[source.variable].type if isinstance(source, n.Read) else None
        return kind if isinstance(kind, EnumType | BoolType) else None

    def _origin(self, e: n.Expr) -> n.Expr:
        return self._origins.get(e.slot, e) if isinstance(e, n.Local) else e

    def _counted(self, e: n.Expr, frame: IntegerFrame) -> Cells:
        """Of a comparison with a sum: the cells of the elements that count, and no others."""
        sides = (e.left, e.right) if isinstance(e, n.Binary) else ()
        counted: Cells = {}
        for side in sides:
            fold, its_frame = self._returned_by(side, frame)
            if isinstance(fold, n.Fold) and fold.op is n.FoldOp.SUM:
                for bound in self._elements(fold, its_frame):
                    self._reads.clear()
                    if self._value(fold.element, its_frame):
                        counted.update(bound | self._seen())
        return counted

    def _returned_by(self, e: n.Expr, frame: IntegerFrame) -> tuple[n.Expr, IntegerFrame]:
        """The expression or, if it is a call, what that returns, with the locals of its own."""
        if not isinstance(e, n.Call):
            return e, frame
        self._last = None
        self._value(e, frame)
        returned = self._last
        if returned is None or returned.statement.value is None:
            return e, frame
        return returned.statement.value, returned.frame

    def _elements(self, fold: n.Fold, frame: IntegerFrame) -> Iterator[Cells]:
        """For each element of the fold, with its names bound: the cells that these are the values of."""
        binds = [bind for generator in fold.generators for bind in generator.binds]
        self._origins.update((bind.slot, bind.value) for bind in binds)
        for _ in self._generate(fold.generators, frame):
            self._reads.clear()
            for bind in binds:
                self._value(bind.value, frame)
            yield self._seen()

    def _seen(self) -> Cells:
        return parts_shown(self.program, self._state, self._reads)

    # --- what the interpreter tells -----------------------------------------------------------------------------

    def _return(self, s: n.Return, frame: IntegerFrame) -> Completion:
        completion = super()._return(s, frame)
        self._last = _Returned(s, frame)
        return completion


def tests_above(body: tuple[n.Stmt, ...], wanted: n.Return) -> Iterator[n.Expr]:
    """The tests of the `if`s that the statement stands in the bodies of, outermost first."""
    for node in n.walk(*body):
        if isinstance(node, n.Case) and any(part is wanted for part in n.walk(*node.body)):
            yield node.test


def _with_cells(part: Reason, bound: Cells) -> Reason:
    return replace(part, cells=_first(bound | dict(part.cells))) if not part.parts else part


def _first(cells: Cells) -> tuple[tuple[str, Value], ...]:
    return tuple(cells.items())[:MOST]


def _is_boolean(e: n.Expr) -> bool:
    match e:
        case n.Binary():
            return e.op in n.COMPARISONS
        case n.Unary():
            return e.op is n.UnaryOp.NOT
        case n.Fold():
            return e.op in (n.FoldOp.ALL, n.FoldOp.ANY)
        case _:
            return False


def text_of(span: Span) -> str:
    """The source of the span, on one line."""
    lines = [
        linecache.getline(span.file, line).rstrip("\n") for line in range(span.line, max(span.end_line, span.line) + 1)
    ]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(lines).split())
