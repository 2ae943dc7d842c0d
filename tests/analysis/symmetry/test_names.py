"""Values that are only names: whatever is exchanged on these grounds is a symmetry, by brute force."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Never

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import MODELS
from random_machines import RandomMachine
from symmetric_models import symmetric_models

from asset import Array, Int, Model, check, must_progress, transition, when
from asset.analysis.symmetry.by_names import symmetries_by_names
from asset.analysis.symmetry.summaries import Summarizer
from asset.analysis.symmetry.terms import Beyond
from asset.errors import ModelRejected
from asset.frontends import asm
from asset.frontends.python import compile_model, load
from asset.ir.faults import Fault
from asset.ir.groups import Permutation
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.verdict import Answer

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "20"))


class Names(RandomMachine):
    """Machines that do little with numbers but compare them and use them as arguments."""

    def text(self) -> str:
        return super().text().replace("or $x > b", "or $x = b")

    def number(self, depth: int, xs: list[str], cs: list[str]) -> str:
        if depth <= 0:
            return self._one("a", "b", "m", *xs, *xs, *(["1"] if self._random.random() < 0.02 else []))
        inner = lambda: self.number(depth - 1, xs, cs)  # noqa: E731
        return self._made(
            lambda: f"f({inner()})",
            lambda: f"(if {self.truth(depth - 1, xs, cs)} then {inner()} else {inner()} endif)",
            lambda: inner(),
        )

    def truth(self, depth: int, xs: list[str], cs: list[str]) -> str:
        text = super().truth(depth, xs, cs)
        return (
            text
            if self._random.random() < 0.02
            else text.replace(" <= ", " = ").replace(" < ", " = ").replace(" > ", " != ")
        )


def outcome(run: Interpreter, state: State, command: int) -> State | str | None:
    try:
        return run.fire(state, command)
    except Fault:
        return "fault"


def assert_is_symmetry(program: Program, permutation: Permutation, states: list[State]) -> None:
    run = Interpreter(program)
    for state in states:
        image = permutation.state(state)
        for command in range(program.nr_commands):
            found = outcome(run, state, command)
            expected = permutation.state(found) if isinstance(found, tuple) else found
            assert outcome(run, image, permutation.commands[command]) == expected


def some_states(program: Program, most: int, seed: int = 0) -> list[State]:
    """States that are reached, and some that need not be."""
    run, random = Interpreter(program), Random(seed)
    found, seen = [*program.initial_states], set(program.initial_states)
    for state in found:
        for command in range(program.nr_commands):
            after = outcome(run, state, command)
            if isinstance(after, tuple) and after not in seen and len(found) < most:
                seen.add(after)
                found.append(after)
    kinds = [variable.type for variable in program.cell_variables]
    values = [[v for v in range(kind.lo, kind.hi + 1) if v in kind] for kind in kinds]
    return [*found, *(tuple(map(random.choice, values)) for _ in range(most // 2))]


@pytest.mark.parametrize("block", range(max(1, EXAMPLES // 20)))
def test_what_is_exchanged_in_random_machines_is_a_symmetry(block: int, tmp_path: Path) -> None:
    file, found = tmp_path / "names.asm", 0
    for seed in range(block * 20, block * 20 + 20):
        file.write_text(Names(seed).text())
        try:
            program = asm.load(str(file), {}).program
        except ModelRejected as rejected:
            assert "ways to choose" in str(rejected), seed
            continue
        if program.nr_commands > 60:
            continue
        for permutation in symmetries_by_names(program, program.predicates, []):
            found += 1
            assert_is_symmetry(program, permutation, some_states(program, 30, seed))
    assert found > 1


@settings(max_examples=max(6, EXAMPLES // 4), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_exchanged_in_random_models_is_a_symmetry(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("names") / "alike.py"
    path.write_text(data.draw(symmetric_models()))
    program = compile_model(load(path))
    for permutation in symmetries_by_names(program, program.predicates, []):
        assert_is_symmetry(program, permutation, some_states(program, 40))


def test_the_nodes_of_the_case_study_but_the_home_are_alike() -> None:
    program = asm.load(str(MODELS / "asm" / "flash.asm"), {"nodes": "4", "slots": "2"}).program
    found = symmetries_by_names(program, program.predicates[:1], [])
    assert len(found) == 2  # they generate all orders of three nodes
    assert_is_symmetry(program, found[0], some_states(program, 24))


ORDER = """\
from asset import Array, Int, Model, transition, when


class M(Model):
    def state(self):
        self.f = Array(3, Int(0, 2, 0))
        self.on = Array(3, False)
        self.last = Int(0, 2, 0)

    @transition(i="3")
    def step(self, i):
        {}
"""


LAST = 6
"""The cell of `last`; those of f come first."""


@pytest.mark.parametrize(
    ("body", "cell", "value", "moves"),
    [
        ("self.f[i] = self.last", 0, None, True),
        ("self.f[i] = i", 0, 0, True),
        ("self.on[self.f[i]] = self.f[i] == self.last", LAST, 0, True),
        ("for k in range(3): self.f[k] = i", 2, None, True),
        ("when(any(self.f[k] == i for k in range(3))); self.on[i] = True", 0, 0, True),
        ("self.last = (self.f[i] + 1) % 3", LAST, 0, False),
        ("when(self.f[i] < self.last); self.last = i", LAST, 0, False),
        ("self.last = 1", LAST, 1, False),
        ("for k in range(3): self.last = k", LAST, 0, False),
        ("for k in range(3): self.f[k] = self.f[self.f[k]]", 0, None, False),
        ("for k in range(3):; j = k; k = 0; self.f[k] = j".replace("; ", "\n            "), 0, 2, False),
        ("for k in range(2): self.f[k] = self.last", 2, None, False),
        ("when(any(self.f[k] == i for k in range(2))); self.on[i] = True", 2, None, False),
        ("when(any(6 // self.f[k] == 3 or self.on[k] for k in range(3))); self.last = i", 0, None, False),
    ],
)
def test_what_tells_values_apart_is_noticed(
    body: str, cell: int, value: int | None, moves: bool, tmp_path: Path
) -> None:
    path = tmp_path / "order.py"
    path.write_text(ORDER.format(body.replace("; ", "\n        ")))
    program = compile_model(load(path))
    found = symmetries_by_names(program, program.predicates, [])
    for permutation in found:
        assert_is_symmetry(program, permutation, some_states(program, 100))
    moved = [p.cells[cell] != cell if value is None else p.value(cell, value) != value for p in found]
    assert any(moved) is moves


class Unused(Model):
    """Nothing but the property looks at what never changes."""

    def state(self):
        self.level = Array(2, Int(0, 2))
        self.flag = Array(2, False)
        self.named = Int(0, 2, 2)

    @transition(i=2)
    def stay(self, i):
        when(self.level[i] == 0)
        self.level[i] = 0

    @must_progress
    def is_named_or_flagged(self):
        return self.named == 0 or self.flag[0]


@pytest.mark.parametrize("followed", [True, False])
def test_what_never_changes_is_not_renamed(followed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What symmetries make of a property is told by terms, which have the values of such cells in their place."""

    def beyond(*_: object) -> Never:
        raise Beyond

    if not followed:
        monkeypatch.setattr(Summarizer, "command", beyond)
    answers = {check(Unused(), symmetry=how, dl_not_must=True).answer for how in ("off", "auto")}
    assert answers == {Answer.VIOLATED}
