"""A process means the same to CPython's generators, as steps run by CPython, in the reference and in native code."""

from __future__ import annotations

import os
import random
from pathlib import Path
from tempfile import TemporaryDirectory

from generator_runs import Chosen, GeneratorRun
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_process_texts import processes
from test_agreement import asking, facts, fault

from asset import codegen
from asset.engine import native, reference
from asset.engine.outcome import Limits
from asset.errors import ModelRejected
from asset.frontends.python import PlainPython, compile_model, load
from asset.ir.interpreter import Interpreter
from asset.ir.program import State
from asset.ir.reductions import HAND_WRITTEN
from asset.ir.verify import verify
from asset.model import Model, cells_of, in_state
from asset.model.processes import ProcessStep, processes_of
from asset.model.transitions import numbered

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "30"))
LIMITS = Limits(max_states=500)
IN_LOOP = ("choose is in a loop that a step runs as a whole", "what leaves this loop is in a loop of the same step")


def loaded(text: str, folder: str) -> Model:
    """The model; the example is skipped where it is outside of the language for one of the known reasons."""
    file = Path(folder) / "random_process.py"
    file.write_text(text)
    try:
        return load(str(file), {})
    except ModelRejected as rejected:
        assume(not any(reason in str(rejected) for reason in IN_LOOP))
        raise


def choices_of(step: ProcessStep, values: tuple[int, ...]) -> Chosen:
    """What each choice of the text is, if the step comes to it and the index that makes it has such an alternative."""
    assert step.point.segment is not None
    calls = step.point.segment.choices
    return {
        calls[number].lineno: (values[made.index], made.is_computed)
        for number, made in step.made.items()
        if values[made.index] in made.values
    }


def is_once(step: ProcessStep, values: tuple[int, ...], lines: frozenset[int]) -> bool:
    """Whether each index that no choice in the lines is made by has its first value."""
    assert step.point.segment is not None
    calls = step.point.segment.choices
    used = {made.index for number, made in step.made.items() if calls[number].lineno in lines}
    return all(k in used or value == step.choices[k].values[0] for k, value in enumerate(values))


def outcome(model: Model, step: ProcessStep, indices: tuple[int, ...]) -> State | type[Exception] | None:
    """The cells after the step; None where it is disabled; the class of what it raises."""
    twin = in_state(model, cells_of(model))
    try:
        return cells_of(twin) if step.fire(twin, *indices) else None
    except Exception as error:
        return type(error)


def compare(run: GeneratorRun, model: Model, step: ProcessStep, values: tuple[int, ...]) -> State | None:
    """The generator makes the same step; the state after it."""
    after = outcome(model, step, (*run.indices, *values))
    chosen = choices_of(step, values)
    shared = cells_of(model)[: run.shared]
    try:
        told = run.attempt(shared, chosen)
    except KeyError:  # it comes to a choice that has fewer alternatives than the index has values
        assert after is None
        return None
    except Exception as error:
        # A value that a cell does not take: the generator says so where it is assigned.
        assert after is type(error)
        return None
    if told is None or not is_once(step, values, told[2]):
        assert after is None
        return None
    assert isinstance(after, tuple)
    assert after[: run.shared] == told[0]
    return after


class Walk:
    """A random run of a model, in which every step of every process is compared with the generator's."""

    def __init__(self, model: Model, seed: int) -> None:
        self.model = model
        self.random = random.Random(seed)
        shared = sum(len(v.initial) for v in compile_model(model).variables if v.owner is None)
        self.runs = [
            GeneratorRun(model, process, indices, shared)
            for process in processes_of(type(model))
            for indices in {
                f.indices[: len(process.index_names)]
                for f in model.transitions()
                if numbered(model)[f.name].transition.of_process[0] == process.name
            }
        ]

    def step(self) -> bool:
        found: list[tuple[State, GeneratorRun | None, Chosen]] = []
        for name, indices in self.model.transitions():
            transition = numbered(self.model)[name].transition
            if not isinstance(transition, ProcessStep):
                twin = in_state(self.model, cells_of(self.model))
                if transition.fire(twin, *indices):
                    found.append((cells_of(twin), None, {}))
                continue
            run = next(
                r for r in self.runs if r.process is transition.process and r.indices == indices[: len(r.indices)]
            )
            if not self._is_at(run, transition):
                continue
            values = indices[len(run.indices) :]
            after = compare(run, self.model, transition, values)
            if after is not None:
                found.append((after, run, choices_of(transition, values)))
        if not found:
            return False
        after, run, chosen = self.random.choice(found)
        if run is not None:
            run.make(cells_of(self.model)[: run.shared], chosen)
        self.model = in_state(self.model, after)
        return True

    def _is_at(self, run: GeneratorRun, step: ProcessStep) -> bool:
        counter = getattr(self.model, run.process.counter)
        for index in run.indices:
            counter = counter[index]
        return int(counter) == step.point.number


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(processes(), st.integers(0, 10**6))
def test_the_steps_of_a_process_are_those_of_its_generator(text: str, seed: int) -> None:
    with TemporaryDirectory() as folder:
        walk = Walk(loaded(text, folder), seed)
        for _ in range(12):
            if not walk.step():
                break


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(processes())
def test_cpython_reference_and_native_agree_on_processes(text: str) -> None:
    with TemporaryDirectory() as folder:
        model = loaded(text, folder)
        program = compile_model(model)
        verify(program)
        interpreter, plain = Interpreter(program), PlainPython(model)
        task = asking(program, [False] * 5)
        specified = reference.explore(interpreter, task, LIMITS)
        compiled = native.explore(codegen.compile(program, HAND_WRITTEN), task, LIMITS, None)
        assert facts(compiled) == facts(specified)
        assert facts(reference.explore(plain, task, LIMITS)) == facts(specified)
        found, same = fault(interpreter, specified.finding), fault(plain, specified.finding)
        assert (same and (same.kind, same.span.line)) == (found and (found.kind, found.span.line))
