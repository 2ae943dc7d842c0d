"""What formulas ask of a state and the next one (native/abi.h, holds_of_step)."""

from __future__ import annotations

from collections.abc import Sequence

from asset.codegen.builder import Builder
from asset.codegen.calls import state_arguments
from asset.codegen.expressions import DISABLED
from asset.codegen.unit import Unit
from asset.ir.requirements import StepPredicate


class HoldsOfStep:
    """Evaluates values in the state after, and gives them to a function of the state before."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.b = Builder()
        self.status = self.b.slot("i32")

    def text(self) -> str:
        b, predicates = self.b, self.unit.program.step_predicates
        first, *others = labels = [b.name("predicate") for _ in predicates]
        targets = " ".join(f"i32 {k}, label %{label}" for k, label in enumerate(others, 1))
        b.end(f"switch i32 %predicate, label %{first} [{targets}]")
        for label, predicate in zip(labels, predicates, strict=True):
            b.begin(label)
            self._evaluated(predicate)
        b.begin("faulty")
        b.end(f"ret i32 {b.load(self.status, 'i32')}")
        states = "ptr noalias readonly %before, ptr noalias readonly %after"
        return f"define i32 @holds_of_step({states}, i32 %predicate) #0 {{\n{b.text()}\n}}\n"

    def _evaluated(self, predicate: StepPredicate) -> None:
        b = self.b
        values = [self._called(value, "%after", ()) for value in predicate.values]
        truth = b.let(f"icmp ne i64 {self._called(predicate.function, '%before', values)}, 0")
        b.end(f"ret i32 {b.let(f'zext i1 {truth} to i32')}")

    def _called(self, function: int, state: str, values: Sequence[str]) -> str:
        """What the function gives in the state."""
        b, kind = self.b, self.unit.result_type(function)
        given = (f"i64 {value}" for value in values)
        arguments = ", ".join([*state_arguments(b, self.unit, state), *given, *self.unit.work_argument(function)])
        result = b.let(f"call {kind} @function{function}({arguments})")
        status = b.let(f"extractvalue {kind} {result}, 0")
        b.store(status, self.status, "i32")
        b.leave_if(b.let(f"icmp slt i32 {status}, {DISABLED}"), "faulty")
        return b.let(f"extractvalue {kind} {result}, 1")
