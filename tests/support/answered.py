"""What is known of a requirement when a model was explored with some options."""

from __future__ import annotations

from asset.checks.answering import Answering, Answers
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.reductions import reduce
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.requirements import Requirement
from asset.verdict import Answer


class Remembering(Interpreter):
    """Fires each command once in a state, however often it is asked to: a model is explored several times."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._fired: dict[tuple[State, int], State | None] = {}

    def fire(self, state: State, command: int) -> State | None:
        key = (state, command)
        if key not in self._fired:
            self._fired[key] = super().fire(state, command)
        return self._fired[key]


def answers(executable: Interpreter, requirement: Requirement, **options: object) -> Answers:
    asked = CheckOptions(**options)  # type: ignore[arg-type]
    reduced = reduce(executable.program, [requirement], asked)
    engine = Engine(asked, reduced.reductions)
    return Answering(executable, engine, [requirement], reduced.repair).run()


def answer(executable: Interpreter, requirement: Requirement, **options: object) -> Answer:
    return answers(executable, requirement, **options).answer(requirement)
