"""A model in Promela as a subject."""

from __future__ import annotations

from dataclasses import dataclass

from asset.checks.subject import ParameterValue, Subject
from asset.engine.outcome import Executable
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

    def unanswered(self) -> list[Caveat]:
        return [
            Caveat("unanswered", f"{what} cannot be checked yet, so the whole is undecided: leave it out, or write ltl")
            for what in self.loaded.unchecked
        ]

    def parameters(self) -> list[ParameterValue]:
        given = self.loaded.program.parameters
        return [ParameterValue(name, str(value), "the text of a macro") for name, value in given]
