"""Coverage: what a complete search never reaches is named, by both engines alike, and nothing else is."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from random_models import models

from asset import (
    Array,
    Int,
    Model,
    Queue,
    UsageError,
    Verdict,
    always,
    check,
    eventually,
    implies,
    invariant,
    process,
    temporal,
    terminal,
    transition,
    when,
)
from asset.cli.main import main
from asset.frontends.python import compile_model, load
from asset.ir import nodes as n
from asset.ir.coverage import marked, marking_if_disabled
from asset.ir.interpreter import Interpreter
from asset.ir.verify import verify

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "4"))


class Lift(Model):
    broken: bool = False

    def state(self) -> None:
        self.floor = Int(0, 5)
        self.stuck = False

    @transition
    def up(self) -> None:
        when(self.floor < 3)
        if self.floor > 4:
            self.stuck = True
        elif self.floor >= 0:
            self.floor += 1
        else:
            self.floor = 0
        if self.floor > 5:
            raise RuntimeError("never")

    @transition
    def free(self) -> None:
        when(self.stuck)
        self.stuck = False

    @transition
    def down(self) -> None:
        when(self.floor == 3)
        if self.broken:
            self.floor = 5
            return
        self.floor = 0

    @process
    def guard(self) -> Iterator[None]:
        yield
        when(self.stuck)
        yield

    @invariant
    def stuck_at_the_top(self) -> bool:
        return not self.stuck or self.floor == 5

    @invariant
    def free_in_the_middle(self) -> bool:
        return not self.floor == 3 or not self.stuck  # noqa: SIM201

    @terminal
    def never_ends(self) -> bool:
        return self.broken


def missed(verdict: Verdict) -> list[tuple[str, str, str]]:
    assert verdict.coverage is not None
    return [(each.kind, each.name, each.text) for each in verdict.coverage.never]


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_what_is_never_reached_is_named(engine: str) -> None:
    verdict = check(Lift(), engine=engine, coverage=True)
    assert verdict.holds
    guards = [name for _, name, _ in missed(verdict) if name.startswith("guard")]
    assert missed(verdict) == [
        ("branches", "never true", "self.floor > 4"),
        ("branches", "always true", "self.floor >= 0"),
        ("transitions", "free", ""),
        *(("transitions", name, "") for name in guards),
        ("properties", "stuck_at_the_top", ""),
    ]
    told = str(verdict)
    assert "never enabled, in no state: free, guard@" in told
    assert "self.floor > 4 is never true" in told and "self.floor >= 0 is always true" in told
    assert "hold only because what they assume is never true: stuck_at_the_top" in told
    assert "3 of 6 transitions fired, 2 of 4 branches taken, 1 of 2 properties challenged" in " ".join(told.split())


def test_counts_are_in_the_json_and_in_the_page(tmp_path: Path) -> None:
    verdict = check(Lift(), coverage=True)
    written = json.loads(verdict.to_json())["coverage"]
    assert written["transitions"] == {"all": 6, "reached": 3}
    assert {each["kind"] for each in written["never"]} == {"transitions", "branches", "properties"}
    assert all(each["place"]["line"] > 0 for each in written["never"])
    assert check(Lift()).to_dict()["coverage"] is None
    file = tmp_path / "lift.py"
    file.write_text(
        "from asset import Int, Model, transition, when\n\n\nclass Lift(Model):\n    def state(self):\n"
        "        self.x = Int(0, 1)\n\n    @transition\n    def up(self):\n        when(self.x > 1)\n"
    )
    assert main(["check", str(file), "--coverage", "--html", str(tmp_path / "lift.html")]) == 0
    assert "0 of 1 transitions fired" in (tmp_path / "lift.html").read_text()


class Counter(Model):
    def state(self) -> None:
        self.x = Int(0, 5, 1)
        self.row = Array(2, Int(-1, 4, 4))
        self.waiting = Queue(2, Int(0, 9))  # what containers hold is not told
        self.open = True

    @transition
    def up(self) -> None:
        self.x += 1
        self.row[0] = self.x - 3
        when(self.x < 5)  # where x is 5, it does not fire

    @transition
    def back(self) -> None:
        when(self.x == 4)
        self.x = 1

    @temporal
    def never_challenged(self) -> object:
        return always(implies(not self.open and self.x > 0, eventually(self.open)))

    @temporal
    def challenged(self) -> object:
        return always(implies(self.x == 4, eventually(self.x == 1)))

    @temporal
    def left_side_of_a_run(self) -> object:
        return always(implies(eventually(self.x == 5), self.open))


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_ends_of_ranges_that_no_state_has_are_named_on_request(engine: str) -> None:
    verdict = check(Counter(), engine=engine, coverage=True, ranges=True)
    assert verdict.holds
    assert [name for kind, name, _ in missed(verdict) if kind == "range_ends"] == ["x = 0", "x = 5"]
    assert verdict.to_dict()["coverage"]["range_ends"] == {"all": 4, "reached": 2}
    told = " ".join(str(verdict).split())
    assert "ends of ranges that are never reached: x = 0, x = 5" in told and "2 of 4 range ends reached" in told
    assert "range_ends" not in check(Counter(), coverage=True).to_dict()["coverage"]
    with pytest.raises(UsageError, match="ranges are a part of coverage"):
        check(Counter(), ranges=True)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_implications_in_formulas_whose_left_side_is_never_true_are_named(engine: str) -> None:
    verdict = check(Counter(), engine=engine, coverage=True)
    assert [name for kind, name, _ in missed(verdict) if kind == "properties"] == ["never_challenged"]
    assert "what they assume is never true: never_challenged" in " ".join(str(verdict).split())
    with pytest.raises(UsageError, match="on the fly"):
        check(Counter(), coverage=True, on_the_fly=True)


def test_never_is_said_after_a_complete_search_only() -> None:
    broken = check(Lift(broken=True), coverage=True, max_states=2)
    assert broken.coverage is None
    assert "coverage-open" in [caveat.code for caveat in broken.caveats]
    with pytest.raises(UsageError, match="coverage is of the full search"):
        check(Lift(), coverage=True, symmetry="auto")


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models())
def test_engines_agree_and_marks_change_nothing(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        model = load(str(file), {})
        limits = {"max_states": 2_000, "stubborn": "off", "symmetry": "off"}
        plain = check(model, **limits)  # type: ignore[arg-type]
        found = [check(model, engine=e, coverage=True, **limits) for e in ("native", "reference")]  # type: ignore[arg-type]
        for each in found:
            assert (each.answer, each.states, each.edges) == (plain.answer, plain.states, plain.edges)
        assert found[0].coverage == found[1].coverage
        if found[0].coverage is not None:
            assert found[0].coverage.never == reached_by_force(model)


class Idle(Model):
    def state(self) -> None:
        self.on = False

    @transition
    def stay(self) -> None:
        self.on = self.on and not self.on

    @terminal
    def off(self) -> bool:
        if self.on:
            assert not self.on
        return True


def test_a_state_in_which_only_idle_steps_are_enabled_is_terminal() -> None:
    found = check(Idle(), coverage=True).coverage
    assert found is not None and found.never == reached_by_force(Idle())
    assert [each.name for each in found.never] == ["never true"]


def reached_by_force(model: Model) -> tuple[object, ...]:
    """What is not reached in any state, by an interpreter that goes to all of them; as a verdict has it."""
    from asset.checks.covering import NeverReached, _looked_at, _text

    program = marked(compile_model(model))
    verify(program.program)
    bare = marked(compile_model(model), without=range(10**6)).program
    assert not [node for f in bare.functions for node in n.walk(*f.body) if isinstance(node, n.Mark)]
    run = Interpreter(program.program)
    states = list(program.program.initial_states)
    seen = set(states)
    for state in states:  # grows
        for after in _looked_at(run, state):
            if after not in seen:
                seen.add(after)
                states.append(after)
    left = [p for k, p in enumerate(program.points) if k not in run.marked]
    return tuple(NeverReached(p.kind.value, p.name, _text(p), p.span) for p in left)


class Hidden(Model):
    """A branch that is entered only where the transition is disabled afterwards, and late: no sample meets it."""

    def state(self):
        self.clock = Int(0, 2000)
        self.place = Array(12, Int(0, 1))

    @transition
    def tick(self):
        when(self.clock < 2000)
        self.clock += 1

    @transition(i=12, k=2)
    def look(self, i, k):
        late = 0
        if self.clock + k > 1999:
            late = 1
        when(self.place[i] == 1)
        self.place[i] = late


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_branches_of_transitions_that_are_disabled_afterwards_are_taken(engine: str) -> None:
    found = check(Hidden(), engine=engine, coverage=True)
    assert [missed.kind for missed in found.coverage.never] == ["transitions"]


def test_only_commands_that_set_marks_before_they_are_disabled_must_be_tried() -> None:
    program = compile_model(Hidden())
    tick, look = (family.function for family in program.families)
    assert marking_if_disabled(marked(program).program) == {look}
    assert marking_if_disabled(program) == set()
    assert tick != look
