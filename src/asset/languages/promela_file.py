"""A model in Promela as a subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory

from asset.checks.subject import ParameterValue, Subject
from asset.engine.outcome import Executable, Path
from asset.errors import Diagnostic, ModelRejected, UsageError
from asset.frontends import promela
from asset.frontends.promela import Loaded, trails
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import State
from asset.languages import ModelSpec
from asset.languages import load as load_any
from asset.verdict import Caveat


def load(spec: ModelSpec) -> PromelaSubject:
    return PromelaSubject(promela.load(spec.file, spec.parameters))


MOST_COMMANDS = 5000
"""Of processes in Python that are still compiled in a moment."""

IN_PYTHON = {
    "choose is in a loop that a step runs as a whole": (
        "choices in a loop of an atomic sequence",
        "choose before the sequence, by select for numbers, or let others take steps in each round",
    ),
    "this step has met another one already": (
        "a process that receives by rendezvous, and sends by another one in the same step",
        "end the atomic sequence between them",
    ),
}
"""What Python says of the processes, in the words of Promela, with a remedy."""


@dataclass(frozen=True)
class PromelaSubject(Subject):
    loaded: Loaded

    def executable(self) -> Executable:
        return Interpreter(self.loaded.program)

    def sources(self) -> tuple[str, ...]:
        return self.loaded.files

    def notes(self) -> list[str]:
        return [str(warning) for warning in self.loaded.warnings]

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

    def require_retelling(self) -> None:
        pass

    def retold(self, names: Sequence[str], failing: str | None, cycle: int | None) -> str:
        program = self.loaded.program
        numbers = {program.command_name(command): command for command in range(program.nr_commands)}
        interpreter = Interpreter(program)
        run: list[tuple[int | None, State]] = [(None, program.initial)]
        for name in names:
            after = interpreter.fire(run[-1][1], numbers[name])
            assert after is not None, name
            run.append((numbers[name], after))
        followed = trails.Followed(tuple(run), cycle=cycle)
        if failing is not None and failing in numbers:
            try:
                interpreter.fire(run[-1][1], numbers[failing])
            except Fault as fault:
                followed = replace(followed, failing=numbers[failing], fault=fault)
        return trails.told(self.loaded.lowered, followed)

    def followed(self, file: str) -> tuple[Path, int | None, Fault | None]:
        try:
            text = FilePath(file).read_text()
        except OSError as problem:
            remedy = "pan writes it when it finds an error: spin -a m.pml; cc -o pan pan.c; ./pan"
            raise UsageError.of(f"{file}: {problem.strerror}", remedy=remedy) from None
        run = trails.follow(self.loaded.lowered, trails.read_trail(text, file, self.loaded.lowered))
        return run.path, run.failing, run.fault

    def in_python(self) -> tuple[str | None, Diagnostic | None]:
        try:
            text = self.loaded.in_python()
        except promela.Unsaid as unsaid:
            return None, unsaid.diagnostic
        with TemporaryDirectory() as folder:
            file = FilePath(folder) / f"{self.loaded.program.name}.py"
            file.write_text(text, encoding="utf-8")
            try:
                commands = load_any(ModelSpec(str(file))).executable().program.nr_commands
            except ModelRejected as rejected:
                return None, self._located(rejected.diagnostics[0])
        if commands > MOST_COMMANDS:
            said = f"atomic sequences with so many ways through them that there are {commands} steps"
            return None, Diagnostic(said, None, "let them make fewer choices", "note")
        return text, None

    def _located(self, found: Diagnostic) -> Diagnostic:
        """What is wrong with the processes in Python, as something about the model."""
        construct, remedy = IN_PYTHON.get(found.message, (found.message, "write the model in another way"))
        return Diagnostic(construct, None, remedy, "note")

    def parameters(self) -> list[ParameterValue]:
        given = self.loaded.program.parameters
        return [ParameterValue(name, str(value), "the text of a macro") for name, value in given]
