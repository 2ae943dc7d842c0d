"""What is checked, in whatever language it was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from asset.checks.options import CheckOptions
from asset.engine.outcome import Executable
from asset.errors import ModelRejected
from asset.frontends.python import PlainPython, compile_model
from asset.ir.interpreter import Interpreter
from asset.ir.program import State
from asset.model import Model, cells_of, in_state, shown
from asset.verdict import Caveat


@dataclass(frozen=True, slots=True)
class Seen:
    """A state as a reader sees it: an object, and a text where the model says how to show a state."""

    model: Any
    shown: str | None


class Subject(Protocol):
    """A model, ready to be run; `spent` are the seconds that it took to load it, where that is to be told.

    What it says of a state `repeats` where it cannot but say the same when it is asked again.
    """

    @property
    def spent(self) -> float: ...

    @property
    def repeats(self) -> bool: ...

    def options(self, asked: CheckOptions) -> CheckOptions:
        """How to check it: as asked, and as the model itself says. Raises UsageError where that cannot be."""

    def executable(self) -> Executable:
        """Its meaning. Raises ModelRejected where the model is outside the language that is compiled."""

    def slow_executable(self) -> Executable | None:
        """Its meaning by other means, where it has one that needs no compiling."""

    def caveats(self) -> tuple[Caveat, ...]: ...

    def seen(self, state: State) -> Seen: ...

    def cells(self, seen: Any) -> State:
        """The state of an object that `seen` gave."""


@dataclass(frozen=True, slots=True)
class PythonSubject:
    """A model that is a Python class."""

    model: Model
    spent: float = 0.0
    repeats: bool = True

    def options(self, asked: CheckOptions) -> CheckOptions:
        return asked

    def executable(self) -> Executable:
        return Interpreter(compile_model(self.model))

    def slow_executable(self) -> Executable:
        return PlainPython(self.model)

    def caveats(self) -> tuple[Caveat, ...]:
        return ()

    def seen(self, state: State) -> Seen:
        model = in_state(self.model, state)
        return Seen(model, shown(model))

    def cells(self, seen: Any) -> State:
        return cells_of(seen)


def subject_of(model: Model | Subject) -> Subject:
    return PythonSubject(model) if isinstance(model, Model) else model


def executable_of(subject: Subject) -> Executable:
    """The meaning of the model or, of a model outside the compiled language, its meaning by other means."""
    try:
        return subject.executable()
    except ModelRejected:
        slow = subject.slow_executable()
        if slow is None:
            raise
        return slow
