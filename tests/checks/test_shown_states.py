"""Runs as they are shown: each state by what its step changed, the same as if it were shown by itself."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from compound_models import Everything

import asset
from asset import Array, Int, Map, Model, Optional, Record, Set, invariant, process, transition, when
from asset.checks.rendering import values
from asset.checks.shown_states import ShownState
from asset.cli.walk import choices
from asset.ir.faults import Fault
from asset.languages import subject_of


class Cell(Record):
    level: Int(0, 3)
    open: bool


class Board(Model):
    """Every kind of nesting that a change is followed into."""

    def state(self):
        self.row = Array(3, Cell)
        self.items = Map(4, Cell)
        self.there = Set(5)
        self.some = Optional(Cell)
        self.still = Array(4, Int(0, 3))

    @transition(i=3)
    def raise_level(self, i):
        when(self.row[i].level < 3)
        self.row[i].level += 1

    @transition(i=4)
    def put(self, i):
        when(i not in self.items)
        self.items[i] = Cell(level=1, open=False)

    @transition(i=4)
    def open(self, i):
        when(i in self.items)
        self.items[i].open = not self.items[i].open

    @transition(i=4)
    def drop(self, i):
        when(i in self.items)
        del self.items[i]

    @transition(i=5)
    def add(self, i):
        self.there.add(i)

    @transition
    def wrap(self):
        self.some = Cell(level=2, open=True)


def walked(model: Model, steps: int, seed: int) -> list[tuple[int, ...]]:
    executable, rng = subject_of(model).executable(), random.Random(seed)
    states = [executable.program.initial]
    for _ in range(steps):
        after = [s for s in choices(executable, states[-1]).values() if not isinstance(s, Fault)]
        if not after:
            break
        states.append(rng.choice(after))
    return states


@pytest.mark.parametrize("model", [Board, Everything])
def test_a_state_is_shown_the_same_whatever_was_shown_before(model: type[Model]) -> None:
    program = subject_of(model()).executable().program
    states = walked(model(), 60, seed=1)
    shown = ShownState.of(program, states[0])
    for state in states[1:]:
        before = shown.values
        shown, changes = shown.then(state)
        assert shown.values == values(program, state)
        assert list(shown.values) == list(values(program, state))
        assert bool(changes) == (before != shown.values)


def test_what_a_step_leaves_as_it_is_is_shared() -> None:
    program = subject_of(Board()).executable().program
    states = walked(Board(), 40, seed=2)
    shown = ShownState.of(program, states[0])
    for state in states[1:]:
        after, changes = shown.then(state)
        touched = {change.cell.split("[")[0].split(".")[0] for change in changes}
        for name in shown.values.keys() - touched:
            assert after.values[name] is shown.values[name]
        shown = after
    first, second = ShownState.of(program, states[0]), states[0]
    assert first.then(second)[0].values["row"] is first.values["row"]


WIDE = """
from asset import Array, Int, Model, invariant, transition, when

class Wide(Model):
    def state(self):
        self.at = Int(0, 10000)
        self.bit = Array(10000, False)

    @transition
    def fill(self):
        when(self.at < 10000)
        self.bit[self.at] = True
        self.at += 1

    @invariant
    def below(self):
        return self.at < 900
"""


def test_a_wide_state_and_a_long_run_are_shown_in_reasonable_time(tmp_path: Path) -> None:
    file, page = tmp_path / "wide.py", tmp_path / "wide.html"
    file.write_text(WIDE)
    # It takes 2 s on an idle core, and took 100 s when each step looked at all of the state.
    words = [sys.executable, "-m", "asset", "check", str(file), "--html", str(page)]
    checked = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert checked.returncode == 1 and "after 900 steps" in checked.stdout
    assert page.stat().st_size < 5_000_000


def test_json_is_as_python_writes_it() -> None:
    class Odd(Model):
        def state(self):
            self.row = Array(2, Cell)
            self.none = Optional(Cell)
            self.nobody = Set(3)

        @transition
        def go(self):
            when(self.row[0].level == 0)
            self.row[0].level = 1
            self.none = Cell(level=3, open=True)
            self.nobody.add(1)

        @invariant
        def low(self):
            return self.row[0].level == 0

    verdict = asset.check(Odd())
    assert verdict.violated
    for indent in (0, 1, 2, 4):
        assert verdict.to_json(indent) == json.dumps(verdict.to_dict(), indent=indent)


class Teller(Model):
    careful: bool = False

    def state(self):
        self.locked = False
        self.paid = False

    @process
    def pays(self):
        if self.careful:
            when(not self.locked)
            self.locked = True
        self.paid = True
        yield

    @invariant
    def unpaid(self):
        return not self.paid


@pytest.mark.parametrize(("careful", "ran"), [(False, [0, 3, 4]), (True, [0, 1, 2, 3, 4])])
def test_the_lines_of_a_branch_that_is_not_taken_were_not_run(careful: bool, ran: list[int]) -> None:
    run = asset.check(Teller(careful=careful)).counterexample
    assert run is not None
    lines = run.steps[1].lines
    assert [line - lines[0] for line in lines] == ran


class Reader(Model):
    careful: bool = False

    def state(self):
        self.x = Int(0, 3, 2)
        self.y = Int(0, 3)

    @process
    def reads(self):
        if self.careful:
            when(self.x > 2)
        seen = self.x
        yield
        self.y = seen
        yield

    @invariant
    def not_seen(self):
        return self.y == 0


def test_the_text_of_a_step_says_what_it_keeps_for_later() -> None:
    run = asset.check(Reader()).counterexample
    assert run is not None
    assert [step.code for step in run.steps[1:]] == ["if self.careful; seen = self.x", "self.y = seen"]


class ReaderInPython(Reader):
    @process
    def reads(self):
        self.y = sum([1 for _ in str(self.x)])  # outside of the language: run by Python itself
        yield


def test_the_steps_of_a_process_that_python_runs_are_shown() -> None:
    verdict = asset.check(ReaderInPython(), engine="reference")
    assert verdict.violated and verdict.counterexample is not None
    assert verdict.counterexample.steps[1].code
