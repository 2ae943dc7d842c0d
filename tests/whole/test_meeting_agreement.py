"""Steps of two processes mean the same to CPython's generators, as steps run by CPython, and as machine code."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random

from agreement import Agreement
from random_meetings import Made, Run, Writer

from asset.errors import ModelRejected
from asset.frontends.python import compile_model, load
from asset.ir.program import State
from asset.model import Model, cells_of, in_state
from asset.model.meetings import MeetingStep
from asset.model.processes import ProcessStep, processes_of
from asset.model.transitions import Transition, numbered

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "12"))
OUTSIDE = ("this step has met another one already", "choose is in a loop", "in a loop of the same step")
Who = tuple[tuple[str, tuple[int, ...]], ...]


class Walk:
    """A random run of a model, in each state of which all steps are compared with what the generators do."""

    def __init__(self, model: Model, random: Random) -> None:
        self.model, self.random = model, random
        self.shared = sum(len(v.initial) for v in compile_model(model).variables if v.owner is None)
        self.runs = [
            Run(model, process, (i,) if process.index_names else (), self.shared)
            for process in processes_of(type(model))
            for i in range(2 if process.index_names else 1)
        ]

    def step(self) -> bool:
        told = list(self._told())
        found = list(self._found())
        assert Counter((who, made[-1].after) for who, made in told) == Counter(
            (who, after[: self.shared]) for who, after in found
        )
        single = Counter((who, after[: self.shared]) for who, after in found)
        clear = [(who, after) for who, after in found if single[who, after[: self.shared]] == 1]
        if not clear:
            return False
        who, after = self.random.choice(clear)
        made = next(each for others, each in told if others == who and each[-1].after == after[: self.shared])
        for name, one in zip(who, made, strict=True):
            next(run for run in self.runs if run.name == name).history.append(one)
        self.model = in_state(self.model, after)
        return True

    def _told(self) -> list[tuple[Who, tuple[Made, ...]]]:
        """What the generators do: alone, and by twos."""
        told: list[tuple[Who, tuple[Made, ...]]] = []
        for run in self.runs:
            for made in run.steps(cells_of(self.model)[: self.shared]):
                if made.sent is None:
                    told.append(((run.name,), (made,)))
                    continue
                for other in self.runs:
                    if other is not run:
                        taken = other.steps(made.after, made.sent)
                        told += [((run.name, other.name), (made, each)) for each in taken]
        return told

    def _found(self) -> list[tuple[Who, State]]:
        found = []
        for name, indices in self.model.transitions():
            step, twin = numbered(self.model)[name].transition, in_state(self.model, cells_of(self.model))
            if step.fire(twin, *indices):
                found.append((_who(step, indices), cells_of(twin)))
        return found


def _who(step: Transition, indices: tuple[int, ...]) -> Who:
    if isinstance(step, MeetingStep):
        return step.who(indices)
    assert isinstance(step, ProcessStep)
    return ((step.process.name, indices[: len(step.process.index_names)]),)


def test_meetings_are_what_two_generators_do(tmp_path: Path) -> None:
    compared = met = 0
    for seed in range(EXAMPLES):
        file = tmp_path / f"random_meeting_{seed}.py"
        file.write_text(Writer(Random(seed)).text())
        try:
            model = load(str(file), {})
            Agreement(model).explore(8)
        except ModelRejected as rejected:
            if any(reason in str(rejected) for reason in OUTSIDE):
                continue
            raise
        walk = Walk(model, Random(seed))
        for _ in range(10):
            met += sum(len(who) == 2 for who, _ in walk._found())
            if not walk.step():
                break
        compared += 1
    assert compared > EXAMPLES / 3 and met > EXAMPLES / 3
