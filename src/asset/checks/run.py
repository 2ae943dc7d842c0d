"""Runs a check: front end, engine, replay, verdict."""

from __future__ import annotations

import time

from asset.checks.options import CheckOptions
from asset.checks.plan import Plan, plan
from asset.checks.replay import KIND_WORDS, counterexample, violation
from asset.engine import reference
from asset.engine.outcome import Executable, Limits, Observer, Outcome, Stop
from asset.errors import ModelRejected
from asset.frontends.python import PlainPython, compile_model
from asset.ir.interpreter import Interpreter
from asset.model import Model
from asset.verdict import Answer, Caveat, Checked, Memory, Seconds, Verdict, Violation

STOPPED = {
    Stop.MAX_STATES: "the limit on states was reached: not every reachable state was explored",
    Stop.MAX_MEMORY: "memory ran out: not every reachable state was explored",
    Stop.INTERRUPTED: "the search was interrupted: not every reachable state was explored",
}


def check(model: Model, options: CheckOptions, observer: Observer | None = None) -> Verdict:
    """Explores the model and answers for its properties."""
    return _Check(model, options, observer).run()


class _Check:
    def __init__(self, model: Model, options: CheckOptions, observer: Observer | None) -> None:
        self.started = time.perf_counter()
        self.model = model
        self.options = options
        self.observer = observer
        self.caveats: list[Caveat] = []

    def run(self) -> Verdict:
        executable = self._executable()
        planned = plan(executable.program, self.options)
        self.caveats += planned.caveats
        outcome = self._explore(executable, planned)
        return self._verdict(executable, planned, outcome)

    def _executable(self) -> Executable:
        """The program's meaning: of its IR, or, where the reference engine is asked for, of CPython itself."""
        try:
            return Interpreter(compile_model(self.model))
        except ModelRejected as rejected:
            if self.options.engine != "reference":
                raise
            first = rejected.diagnostics[0]
            self.caveats.append(
                Caveat("plain-python", f"run as plain Python, not at native speed: {first.span}: {first.message}")
            )
            return PlainPython(self.model)

    def _explore(self, executable: Executable, planned: Plan) -> Outcome:
        options = self.options
        limits = Limits(options.max_states, options.max_memory, options.threads)
        if options.engine == "reference":
            self.compiled = time.perf_counter()
            return reference.explore(executable, planned.masks, limits, self.observer)
        # Imported here: LLVM takes long to load, and only this engine needs it.
        from asset import codegen
        from asset.engine import native

        machine = codegen.compile(executable.program)
        self.compiled = time.perf_counter()
        return native.explore(machine, planned.masks, limits, self.observer)

    def _verdict(self, executable: Executable, planned: Plan, outcome: Outcome) -> Verdict:
        checking = time.perf_counter()
        finding = outcome.finding
        wrong = None if finding is None else violation(executable, finding)
        run = None if finding is None else counterexample(executable, finding, self.model)
        if outcome.stop in STOPPED:
            self.caveats.append(Caveat(outcome.stop.value, STOPPED[outcome.stop]))
        now = time.perf_counter()
        return Verdict(
            answer=_answer(outcome.stop),
            model=executable.program.name,
            parameters=dict(executable.program.parameters),
            violation=wrong,
            counterexample=run,
            states=outcome.states,
            edges=outcome.edges,
            depth=outcome.depth,
            terminal_states=outcome.terminal_states,
            seconds=Seconds(self.compiled - self.started, outcome.explore_seconds, now - checking, now - self.started),
            memory=Memory(outcome.bytes_per_state, outcome.memory_peak),
            checked=tuple(_checked(planned, outcome.stop, wrong)),
            caveats=tuple(self.caveats),
            settings=self.options.to_dict(),
        )


def _answer(stop: Stop) -> Answer:
    match stop:
        case Stop.COMPLETE:
            return Answer.HOLDS
        case Stop.FINDING:
            return Answer.VIOLATED
        case _:
            return Answer.UNDECIDED


def _checked(planned: Plan, stop: Stop, wrong: Violation | None) -> list[Checked]:
    """A finding decides its own property; the others stay open, as the search ended there."""
    result = []
    for prop in planned.properties:
        kind = KIND_WORDS[prop.kind]
        violated = wrong is not None and (wrong.kind, wrong.property) == (kind, prop.name)
        answer = Answer.VIOLATED if violated else Answer.HOLDS if stop is Stop.COMPLETE else Answer.UNDECIDED
        result.append(Checked(kind, prop.name, answer))
    return result
