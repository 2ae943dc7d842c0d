"""A model in Promela as a subject."""

from __future__ import annotations

from dataclasses import dataclass

from asset.checks.subject import ParameterValue, Subject
from asset.engine.outcome import Executable
from asset.errors import Diagnostic
from asset.frontends import promela
from asset.frontends.promela import Loaded
from asset.ir.interpreter import Interpreter
from asset.languages import ModelSpec
from asset.verdict import Caveat


def load(spec: ModelSpec) -> PromelaSubject:
    return PromelaSubject(promela.load(spec.file, spec.parameters))


@dataclass(frozen=True)
class PromelaSubject(Subject):
    loaded: Loaded

    def executable(self) -> Executable:
        return Interpreter(self.loaded.program)

    def sources(self) -> tuple[str, ...]:
        return self.loaded.files

    def notes(self) -> list[str]:
        return [str(warning) for warning in self.loaded.warnings]

    def remarks(self) -> tuple[Diagnostic, ...]:
        return self.loaded.warnings

    def caveats(self) -> list[Caveat]:
        if not self.loaded.claim:
            return []
        said = (
            "with a never claim, as in SPIN, deadlocks and progress labels are not checked, and the model is explored"
        )
        return [Caveat("never-claim", f"{said} as far as the claim follows it; -D _claim=off leaves the claim out")]

    def unanswered(self) -> list[Caveat]:
        return [
            Caveat("unanswered", f"{name} is not checked beside the never claim: -D _claim=off leaves the claim out")
            for name in self.loaded.left_out
        ]

    def parameters(self) -> list[ParameterValue]:
        given = self.loaded.program.parameters
        return [ParameterValue(name, str(value), "the text of a macro") for name, value in given]
