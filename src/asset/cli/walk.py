"""`asset run`: one run of a model, and what can be said of it without exploring anything else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asset.checks.showing import steps
from asset.checks.subject import Subject, runnable
from asset.engine.outcome import Executable, Path
from asset.ir.faults import Fault, FaultKind
from asset.ir.program import Program, State
from asset.ir.requirements import Predicate, Stage
from asset.report import figures
from asset.report.document import EMPTY, Line, Piece, Role, line, one_line
from asset.report.table import Remark, Tale, told

if TYPE_CHECKING:
    from asset.verdict import Step


@dataclass(frozen=True, slots=True)
class Walk:
    """A run as far as it was followed: to a repeated state (`cycle_starts_at`), to a model error (the `fault` of
    firing `failing` in its last state), to a terminal state (`ended`), or to as many steps as were asked for."""

    path: Path
    cycle_starts_at: int | None = None
    ended: bool = False
    failing: int | None = None
    fault: Fault | None = None

    @property
    def fails(self) -> bool:
        """Whether the model is at fault, rather than a limit of the tool."""
        return self.fault is not None and self.fault.kind is not FaultKind.LIMIT


def choices(executable: Executable, state: State) -> dict[int, State | Fault]:
    """What can happen in the state: each enabled command and where it leads, by increasing number."""
    return dict(_choices(executable, state))


def _choices(executable: Executable, state: State) -> Iterator[tuple[int, State | Fault]]:
    """The same, one by one: what is not asked for is not fired, which may take long."""
    for command in range(executable.program.nr_commands):
        try:
            successor = executable.fire(state, command)
        except Fault as fault:
            yield command, fault
        else:
            if successor is not None:
                yield command, successor


def ends(executable: Executable, state: State, enabled: dict[int, State | Fault]) -> bool:
    """Whether the state is terminal, as these are the choices."""
    return not any(executable.program.idle_steps or after != state for after in enabled.values())


def complaints(executable: Executable, state: State, terminal: bool) -> tuple[str, ...]:
    """What is wrong with the state: the invariants and, of a terminal state, the terminal properties that it breaks."""
    stages = (Stage.STATE, Stage.TERMINAL) if terminal else (Stage.STATE,)
    requirements = executable.program.requirements
    checked = (p for stage in stages for each in requirements if each.stage is stage for p in each.predicates)
    return tuple(wrong for predicate in checked if (wrong := _complaint(executable, predicate, state)))


def _complaint(executable: Executable, predicate: Predicate, state: State) -> str | None:
    try:
        message = executable.evaluate(predicate, state)
    except Fault as fault:
        return f"{fault.word} in {predicate.name}: {one_line(fault.message)}"
    if message is None or predicate.name in message:
        return message
    return f"{predicate.name}: {one_line(message)}"


def walk(executable: Executable, steps: int, seed: int | None = None) -> Walk:
    """The run in which each step is the enabled command of the smallest number: what usually happens, as modellers
    number usual transitions first. With a seed each step is a random one, and a repeated state does not end the run."""
    rng = None if seed is None else random.Random(seed)
    begun = executable.program.initial_states
    state = begun[0] if rng is None or len(begun) == 1 else rng.choice(begun)
    path: list[tuple[int | None, State]] = [(None, state)]
    visited = {state: 0}
    while len(path) <= steps:
        chosen = _chosen(executable, state, rng)
        if chosen is None:
            return Walk(tuple(path), ended=True)
        command, successor = chosen
        if isinstance(successor, Fault):
            return Walk(tuple(path), failing=command, fault=successor)
        path.append((command, successor))
        if rng is None and successor in visited:
            return Walk(tuple(path), cycle_starts_at=visited[successor])
        visited[successor] = len(path) - 1
        state = successor
    return Walk(tuple(path), ended=_chosen(executable, state, None) is None)


def _chosen(executable: Executable, state: State, rng: random.Random | None) -> tuple[int, State | Fault] | None:
    """An enabled command, the first or any, and where it leads; None if there is none."""
    enabled = _choices(executable, state)
    if rng is None:
        return next(enabled, None)
    every = list(enabled)
    return rng.choice(every) if every else None


def described(program: Program, subject: Subject, path: Path) -> tuple[Step, ...]:
    """The run as a reader sees it."""
    return steps(program, subject, path)


def wrong_in(executable: Executable, followed: Walk) -> dict[int, tuple[str, ...]]:
    """What is wrong, by the number of the step that leads to it."""
    last = len(followed.path) - 1
    found = {
        at: complaints(executable, state, followed.ended and at == last) for at, (_, state) in enumerate(followed.path)
    }
    return {at: wrong for at, wrong in found.items() if wrong}


def replayed(subject: Subject, trail: str, width: int) -> tuple[list[Line], bool]:
    """The run of a file that another tool wrote, as text, and whether something goes wrong in it."""
    executable = runnable(subject).executable
    path, failing, fault = subject.followed(trail)
    over = ends(executable, path[-1][1], choices(executable, path[-1][1]))
    followed = Walk(path, None, over and fault is None, failing, fault)
    wrong = wrong_in(executable, followed)
    steps = figures.count(len(path) - 1, "step")
    ending = "the trail ends here" if fault is None and not over else _ending(executable.program, followed)
    headline = line(Piece(f"{named(executable.program)}:", Role.STRONG), f" the run of {trail}, {steps} — {ending}")
    tale = _tale(executable.program, subject, followed, wrong)
    return [headline, EMPTY, *told(tale, width)], bool(wrong) or followed.fails


def report(subject: Subject, steps: int, seed: int | None, width: int) -> tuple[list[Line], bool]:
    """The run as text, and whether something goes wrong in it."""
    executable = runnable(subject).executable
    followed = walk(executable, steps, seed)
    wrong = wrong_in(executable, followed)
    lines = [_headline(executable.program, followed, seed), EMPTY]
    lines += told(_tale(executable.program, subject, followed, wrong), width)
    return lines, bool(wrong) or followed.fails


def named(program: Program) -> str:
    """The model as its user would write it: `TokenRing(n=3)`."""
    parameters = ", ".join(f"{name}={value}" for name, value in program.parameters)
    return f"{program.name}({parameters})" if parameters else program.name


def _headline(program: Program, followed: Walk, seed: int | None) -> Line:
    kind = "a typical run" if seed is None else f"a random run (seed {seed})"
    steps = figures.count(len(followed.path) - 1, "step")
    return line(Piece(f"{named(program)}:", Role.STRONG), f" {kind}, {steps} — {_ending(program, followed)}")


def _ending(program: Program, followed: Walk) -> str:
    if followed.fault is not None and followed.failing is not None:
        name = program.command_name(followed.failing)
        return f"{followed.fault.word} in {name}: {one_line(followed.fault.message)}"
    if followed.cycle_starts_at is not None:
        return f"then it is back in the state of step {followed.cycle_starts_at}"
    return "it ends in a terminal state" if followed.ended else "it goes on (--steps N shows more)"


def _tale(program: Program, subject: Subject, followed: Walk, wrong: dict[int, tuple[str, ...]]) -> Tale:
    last = len(followed.path) - 1
    in_full = (
        {0: "initial state"} if followed.cycle_starts_at is not None else {last: "final state", 0: "initial state"}
    )
    remarks = {at: tuple(Remark(f"✗ {text}", Role.BAD) for text in texts) for at, texts in wrong.items()}
    if followed.ended:
        remarks[last] = (*remarks.get(last, ()), Remark("the run ends here: no transition changes anything"))
    failing = None
    if followed.fault is not None and followed.failing is not None:
        failing = (program.command_name(followed.failing), followed.fault.span)
    steps = described(program, subject, followed.path)
    told_as = "" if followed.fault is None else followed.fault.word
    return Tale(steps, in_full, remarks, followed.cycle_starts_at, failing, told_as, folds=False)
