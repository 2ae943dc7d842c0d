"""Which rules a step of a machine called, with which arguments: of those under which something was updated.

Rules are written out where they are called. Each update remembers the calls that it belongs to, and when a step is run
again in the interpreter, the arguments have their values at that moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from asset.frontends.asm.inputs import Drawn
from asset.frontends.asm.kinds import shown, value_of
from asset.frontends.asm.values import Scalar, TupleValue, Value, defined
from asset.ir import nodes as n
from asset.ir.evaluation import Completion
from asset.ir.faults import Fault
from asset.ir.interpreter import IntegerFrame, Interpreter
from asset.ir.program import Program, State
from asset.span import Span

UNKNOWN = "…"
"""An argument that is no number and no tuple."""
_NO_SPAN = Span("<asset>", 0)


@dataclass(frozen=True, slots=True)
class RuleCall:
    """A call of a rule that was written out."""

    name: str
    arguments: tuple[Value, ...]


class RuleCalls(Interpreter):
    """An interpreter that remembers under which calls something was updated."""

    def __init__(
        self,
        program: Program,
        updating: Mapping[n.Stmt, tuple[RuleCall, ...]],
        drawing: Mapping[n.Stmt, Drawn],
    ) -> None:
        super().__init__(program)
        self._updating = updating
        self._drawing = drawing
        self._frame: IntegerFrame | None = None
        self._told: dict[str, None] = {}
        self._given: list[str] = []

    def of(self, state: State, command: int) -> list[str]:
        """`r_Answer(2, GET)`: the calls of a step in the order of their updates, but for the main rule's. Then what
        was chosen, `pressed=true`, if the command has no more than a number."""
        self._told, self._given = {}, []
        with suppress(Fault):
            self.fire(state, command)
        return [*self._told, *self._given]

    def _block(self, body: tuple[n.Stmt, ...], frame: IntegerFrame) -> Completion:
        outer, self._frame = self._frame, frame
        try:
            return super()._block(body, frame)
        finally:
            self._frame = outer

    def _reached(self, node: n.Stmt | n.Case | n.Generator) -> None:
        if isinstance(node, n.SetState | n.SetLocal):
            for call in self._updating.get(node, ())[1:]:
                self._told[self._text(call)] = None
            drawn = self._drawing.get(node)
            if drawn is not None and self._frame is not None:
                self._given.append(f"{drawn.label}={dict(drawn.names)[self._frame.locals[drawn.slot]]}")

    def _text(self, call: RuleCall) -> str:
        arguments = ", ".join(map(self._argument, call.arguments))
        return f"{call.name}({arguments})" if arguments else call.name

    def _argument(self, value: Value) -> str:
        match value:
            case Scalar(expr, kind) if self._frame is not None:
                return shown(value_of(kind, self._value(expr, self._frame)))
            case TupleValue(parts) if self._frame is not None:
                if not self._value(defined(value, _NO_SPAN), self._frame):
                    return "undef"
                return f"({', '.join(map(self._argument, parts))})"
        return UNKNOWN
