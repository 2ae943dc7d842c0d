"""An abstract state machine as a subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from asset.checks.subject import ParameterValue, Subject
from asset.engine.outcome import Executable
from asset.frontends import asm
from asset.frontends.asm import Loaded
from asset.frontends.asm.rule_calls import RuleCalls
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.languages import ModelSpec


def load(spec: ModelSpec) -> MachineSubject:
    return MachineSubject(spec, asm.load(spec.file, spec.parameters))


@dataclass(frozen=True)
class MachineSubject(Subject):
    """A machine, lowered to the IR."""

    spec: ModelSpec
    loaded: Loaded
    asked: tuple[tuple[str, str], ...] = ()

    def executable(self) -> Executable:
        return Interpreter(self.loaded.program)

    def with_separate_inputs(self) -> Program:
        return asm.load(self.spec.file, self.spec.parameters, self.asked, separate_inputs=True).program

    def asking(self, formulas: Sequence[tuple[str, str]]) -> MachineSubject:
        asked = (*self.asked, *formulas)
        return MachineSubject(self.spec, asm.load(self.spec.file, self.spec.parameters, asked), asked)

    def sources(self) -> tuple[str, ...]:
        return self.loaded.sources

    def notes(self) -> tuple[str, ...]:
        """What of ranges and conflicts the text does not tell: every reachable step is checked for it."""
        found = self.loaded.lowered
        pairs = found.conflicts.left + found.conflicts.discharged
        if not found.updates:
            return self.loaded.notes
        ranges = f"the ranges of {found.ranges_left} of {found.updates} updates"
        left = f"{ranges} and {found.conflicts.left} of {pairs} pairs that could conflict are checked in each step"
        return (*self.loaded.notes, left)

    def doing(self, state: State, command: int) -> str:
        """The rules that were called, as far as they updated something, with their arguments, and some inputs."""
        return ", ".join(self._calls.of(state, command))

    @cached_property
    def _calls(self) -> RuleCalls:
        lowered = self.loaded.lowered
        return RuleCalls(self.loaded.program, lowered.updating, lowered.drawing)

    def parameters(self) -> tuple[ParameterValue, ...]:
        return tuple(ParameterValue(each.name, each.value, each.takes) for each in self.loaded.parameters)
