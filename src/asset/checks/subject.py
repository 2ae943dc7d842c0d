"""What is checked, in whatever language it was written: all that a command asks of a model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from asset.checks.options import CheckOptions
from asset.checks.rendering import values
from asset.deferred import dataclass
from asset.engine.outcome import Executable, Path
from asset.errors import Diagnostic, ModelRejected, UsageError
from asset.ir.faults import Fault
from asset.ir.program import Program, State
from asset.verdict import Caveat, Value


@dataclass(frozen=True, slots=True)
class Seen:
    """A state as a reader sees it: an object, and a text if the model says how to show a state."""

    model: Any
    shown: str | None


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """A parameter with its value, as the command line takes it, and what values it takes, in words."""

    name: str
    value: str
    takes: str


class Subject(ABC):
    """A model, ready to be run.

    A language says what its model means (`executable`). What else is here has an answer that is right for any program
    of the IR, and a language overrides it if it has more to say.
    """

    spent: float = 0.0
    """The seconds that loading took, if the time of a check is to include them."""
    repeats: bool = True
    """Whether the model is certain to say the same of a state when it is asked again."""
    opaque: str | None = None
    """Why nothing can see into the transitions; None if their code is in the program."""

    # --- what it means ------------------------------------------------------------------------------------------

    @abstractmethod
    def executable(self) -> Executable:
        """Its meaning; what two calls give can be used by two threads at once.

        Raises ModelRejected if the model is outside the language that is compiled.
        """

    def slow_executable(self) -> Executable | None:
        """Its meaning by other means, if it has one that needs no compiling."""
        return None

    def options(self, asked: CheckOptions) -> CheckOptions:
        """How to explore it: as asked, and as the model itself says. Raises UsageError if that cannot be."""
        for name in ("stubborn", "symmetry"):
            if getattr(asked, name) == "auto":
                require_transparent(self, f"{name}=auto", f"{name}=hand uses what the model says itself")
        if asked.cluster is not None:
            require_transparent(self, "a cluster", "leave it out: such models are explored on one machine")
        if asked.trace not in (None, "first"):
            require_transparent(self, f"trace={asked.trace}", "leave it out: the run is the one that was found first")
        return asked

    def asking(self, formulas: Sequence[tuple[str, str]]) -> Subject:
        """The same model, of which formulas are asked as well: options of the command line, and their texts.

        Raises UsageError if the language cannot have any.
        """
        raise UsageError.of(
            f"{formulas[0][0]} needs a model in Python: names are resolved in its class", remedy="leave it out"
        )

    def only_runs(self) -> bool:
        """Whether the model asks for a typical run instead of a check."""
        return False

    def fingerprint(self) -> str:
        """Equal for models that mean the same. Raises ModelRejected as `executable` does."""
        from hashlib import sha256  # here, as it takes a while to load and few commands need it

        return sha256(repr(self.executable().program).encode()).hexdigest()

    def sources(self) -> Iterable[str]:
        """The files that it was made from, which nothing may overwrite."""
        return ()

    # --- runs of other tools ---------------------------------------------------------------------------------------

    def require_retelling(self) -> None:
        """Raises UsageError if the language has no tool of its own that prints runs."""
        raise UsageError.of("--format spin is for models in Promela", remedy="leave it out")

    def retold(self, names: Sequence[str], failing: str | None, cycle: int | None) -> str:
        """The run of these transitions, as another tool of the language prints it. `failing` fails in its end; it is
        repeated for ever from the state with number `cycle` on."""
        self.require_retelling()
        raise NotImplementedError

    def followed(self, file: str) -> tuple[Path, int | None, Fault | None]:
        """The run in a file that another tool of the language wrote, and the command that fails in its end.

        Raises UsageError if there is no such tool, or the run is none of the model.
        """
        raise UsageError.of("--trail is for models in Promela, and files that SPIN wrote", remedy="leave it out")

    def unit_test(self, commands: Sequence[int], start: int, holds: Mapping[str, bool]) -> str:
        """A unit test that makes the run of these commands from that initial state; `holds` is what is true at its end.

        Raises UsageError if the language has no unit tests.
        """
        raise UsageError.of("a unit test is written for models in Python")

    def with_separate_inputs(self) -> Program:
        """The program for those who do not list its commands: each choice of a step is an index of its own."""
        return self.executable().program

    def in_python(self) -> tuple[str | None, Diagnostic | None]:
        """The model as a module of Python, as its language would say it; None if there is no such text, and why if it
        is for something in the model."""
        return None, None

    # --- what a reader is shown -----------------------------------------------------------------------------------

    def seen(self, state: State) -> Seen:
        return Seen(SeenState(self.executable().program, state), None)

    def cells(self, seen: Any) -> State:
        """The state of an object that `seen` gave."""
        state: State = seen._cells
        return state

    def doing(self, state: State, command: int) -> str:
        """What firing the command in the state does, in the words of the language; empty if its name says it."""
        return ""

    def parameters(self) -> Iterable[ParameterValue]:
        return ()

    def notes(self) -> Iterable[str]:
        """What to tell the user once, when the model is loaded."""
        return ()

    def caveats(self) -> Iterable[Caveat]:
        """What any verdict on the model must be read with."""
        return ()

    def unanswered(self) -> Iterable[Caveat]:
        """What the model asks for and no check can answer: then nothing holds as a whole."""
        return ()

    def remarks(self) -> Iterable[Diagnostic]:
        """What the front end finds remarkable about the text, such as code that is never reached."""
        return ()


class SeenState:
    """A state of a model that has no objects of its own: variables are attributes, arrays are lists."""

    def __init__(self, program: Program, cells: State) -> None:
        self._program = program
        self._cells = cells

    @cached_property
    def _values(self) -> Mapping[str, Value]:
        return values(self._program, self._cells)

    def __getattr__(self, name: str) -> Value:
        known = self._values if "_cells" in self.__dict__ else {}  # a copy has none at first
        if name not in known:
            raise AttributeError(f"the model has no state variable {name}")
        return known[name]

    def __repr__(self) -> str:
        return f"SeenState({', '.join(f'{name}={value}' for name, value in self._values.items())})"


@dataclass(frozen=True, slots=True)
class Runnable:
    """What a model means, and the engine that can explore it."""

    executable: Executable
    engine: str


def runnable(subject: Subject) -> Runnable:
    """The meaning of the model or, of a model outside the compiled language, its meaning by other means."""
    try:
        return Runnable(subject.executable(), "native")
    except ModelRejected:
        slow = subject.slow_executable()
        if slow is None:
            raise
        return Runnable(slow, "reference")


def require_transparent(subject: Subject, what: str, remedy: str) -> None:
    """UsageError if `what`, which needs the code of the transitions, cannot have it."""
    if subject.opaque is not None:
        raise UsageError.of(f"{what} needs to see into the transitions, and {subject.opaque}", remedy=remedy)
