"""A model to be explored: its states, what can happen in them, and runs, which are lists of command numbers.

Nothing here comes from the page but numbers, which must be those of enabled commands, and values of parameters, which
are parsed like those of the command line.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from asset.analysis.processes.ownership import find_processes
from asset.checks.showing import code, move
from asset.checks.shown_states import ShownState
from asset.checks.source_texts import texts_of
from asset.checks.subject import Runnable, Subject, runnable
from asset.checks.waiting import MOST_COMMANDS, Waits
from asset.cli.explorer.remembered_run import LONGEST, RememberedRun, told_change
from asset.cli.walk import choices, complaints, ends, named
from asset.engine.outcome import Path
from asset.errors import UsageError
from asset.ir.faults import Fault
from asset.ir.program import Program, State
from asset.ir.requirements import Stage
from asset.languages import ModelSpec, load
from asset.report.document import one_line
from asset.report.lanes import of_run
from asset.report.page_parts import source_box, texts
from asset.report.stillness import sentences, wanted
from asset.verdict import Counterexample, Step

CommandNumbers = tuple[int, ...]

MOST_LANES = 6
"""Processes that have a lane even if they have not moved."""

MOST_DISABLED = 200
"""Disabled transitions that are listed."""


class Session:
    """One model with its parameters, and the run that was asked for last."""

    def __init__(self, spec: ModelSpec, subject: Subject, found: Runnable) -> None:
        self.spec = spec
        self.subject = subject
        self.executable = found.executable
        self.engine = found.engine
        self.processes = find_processes(found.executable.program)
        self._remembered = RememberedRun(found.executable, self.processes)
        self._sources = texts_of(found.executable.program)

    @classmethod
    def of(cls, spec: ModelSpec) -> Session:
        subject = load(spec)
        return cls(spec, subject, runnable(subject))

    @property
    def program(self) -> Program:
        return self.executable.program

    # --- runs ---------------------------------------------------------------------------------------------------

    def run(self, commands: Sequence[int], start: int = 0) -> CommandNumbers:
        """The run from the initial state of that number, if it is one; UsageError otherwise. It is the one to show."""
        if len(commands) > LONGEST:
            raise UsageError.of(f"a run has at most {LONGEST} steps here")
        known = all(isinstance(each, int) and 0 <= each < self.program.nr_commands for each in commands)
        if not known:
            raise UsageError.of("there is no such transition")
        self._remembered.begin(start)
        self._remembered.follow(commands)
        return tuple(commands)

    def state(self, run: CommandNumbers) -> State:
        """The state at the end of the run."""
        self._remembered.follow(run)
        return self._remembered.state(len(run))

    def random(self, run: CommandNumbers, steps: int, seed: int | None = None) -> CommandNumbers:
        """The run with random steps after it; fewer if it ends before."""
        rng = random.Random(seed)
        state, taken = self.state(run), list(run)
        for _ in range(min(steps, LONGEST - len(run))):
            enabled = {c: after for c, after in choices(self.executable, state).items() if not isinstance(after, Fault)}
            if not enabled:
                break
            taken.append(rng.choice(list(enabled)))
            state = enabled[taken[-1]]
        return tuple(taken)

    # --- what the page shows ------------------------------------------------------------------------------------

    def about(self) -> dict[str, Any]:
        """The model: its parameters and its text."""
        boxes = (source_box(number, file, text, {}) for number, (file, text) in enumerate(self._sources.items()))
        return {
            "title": named(self.program),
            "parameters": [asdict(parameter) for parameter in self.subject.parameters()],
            "source": "\n".join(boxes),
            "starts": len(self.program.initial_states),
            "required": [p.name for r in self.program.requirements if r.stage is not Stage.GRAPH for p in r.predicates],
        }

    def drawn(self, run: CommandNumbers) -> dict[str, Any]:
        """The run as swim-lanes, and its steps in words."""
        self._remembered.follow(run)
        steps = [Step(None, {}, (), None), *(step.drawn for step in self._remembered.steps)]
        involved = {name for step in steps for name in (step.process, *step.writes, *step.reads)}
        few = len(self.processes.names) <= MOST_LANES
        names = tuple(name for name in self.processes.names if few or name in involved)
        return {
            "lanes": of_run(Counterexample(tuple(steps), processes=names)),
            "steps": [{"name": s.drawn.move or s.drawn.transition, "changes": s.told} for s in self._remembered.steps],
        }

    def shown(self, run: CommandNumbers, at: int) -> dict[str, Any]:
        """The state after `at` steps of the run, and what can happen there."""
        self._remembered.follow(run)
        here = ShownState.of(self.program, self._remembered.state(at))
        before = ShownState.of(self.program, self._remembered.state(max(0, at - 1)))
        enabled = choices(self.executable, here.cells)
        over = ends(self.executable, here.cells, enabled)
        waits = Waits(self.program, self.processes, self._path(run[:at]))
        return {
            "at": at,
            "state": {name: texts(value) for name, value in here.values.items()},
            "before": {name: texts(value) for name, value in before.values.items()},
            "shown": self.subject.seen(here.cells).shown,
            "ran": self._place(self._remembered.steps[at - 1].drawn) if at else {},
            "enabled": [self._choice(here, command, after) for command, after in enabled.items()],
            "holds": self._holds(here.cells, over),
            "wrong": list(complaints(self.executable, here.cells, over)),
            "still": list(sentences(waits.at_the_end())) if over else [],
            "again": self._remembered.first_met(at),
        }

    def why_not(self, run: CommandNumbers) -> dict[str, Any]:
        """The transitions that are disabled after the run, each with the part of its guard that is false."""
        waits = Waits(self.program, self.processes, self._path(run))
        commands = range(self.program.nr_commands if self.program.functions else 0)[:MOST_COMMANDS]
        found = ((command, waits.of_command(command, len(run))) for command in commands)
        waiting = [(command, each) for command, each in found if each is not None]
        return {
            "disabled": [
                {"name": each.transition, "why": wanted(each), "ran": self._place_of(command)}
                for command, each in waiting[:MOST_DISABLED]
            ],
            "more": max(0, len(waiting) - MOST_DISABLED),
        }

    def unit_test(self, run: CommandNumbers, start: int) -> dict[str, Any]:
        """A unit test that makes the run."""
        state = self.state(run)
        over = ends(self.executable, state, choices(self.executable, state))
        return {"text": self.subject.unit_test(run, start, self._holds(state, over))}

    def _path(self, run: CommandNumbers) -> Path:
        """With the state after each step."""
        return tuple((run[at - 1] if at else None, self._remembered.state(at)) for at in range(len(run) + 1))

    def _holds(self, state: State, terminal: bool) -> dict[str, bool]:
        """Of each property of states, whether it holds; not of those whose evaluation fails."""
        found: dict[str, bool] = {}
        for requirement in self.program.requirements:
            for predicate in requirement.predicates:
                if requirement.stage is not Stage.TERMINAL or terminal:
                    with suppress(Fault):
                        found[predicate.name] = self.executable.evaluate(predicate, state) is None
        return found

    def _choice(self, here: ShownState, command: int, after: State | Fault) -> dict[str, Any]:
        changes = () if isinstance(after, Fault) else here.then(after)[1]
        moved = move(self.program, command, changes)
        span = self.program.commands[command][0].span
        going = moved.partition(":")[0]  # where it goes is in its name
        return {
            "command": command,
            "name": moved or self.program.command_name(command),
            "code": code(span.file, [span.line]) if moved else "",
            "changes": [told_change(each) for each in changes if not moved or each.cell != going],
            "error": one_line(after.message) if isinstance(after, Fault) else None,
            "ran": self._place_of(command),
        }

    def _place(self, step: Step) -> dict[str, Any]:
        """What of the source is marked for the step."""
        if step.body is None or step.body.file not in self._sources:
            return {}
        file = list(self._sources).index(step.body.file)
        return {"file": file, "body": [step.body.line, step.body.end_line], "lines": step.lines}

    def _place_of(self, command: int) -> dict[str, Any]:
        span = self.program.commands[command][0].span
        return self._place(Step(None, {}, (), None, body=span))
