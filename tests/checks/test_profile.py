"""A profile counts what the search did, to the last firing, and accounts for all of its time."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from asset import Array, Int, Model, UsageError, check, invariant, transition, when
from asset.cli.main import main
from asset.codegen import compile
from asset.engine import native
from asset.engine.outcome import Limits, Task
from asset.frontends.python import compile_model
from asset.ir.interpreter import Interpreter


class Carts(Model):
    """All commands are tried in each state: there are too few for tables."""

    n: int = 3

    def state(self) -> None:
        self.at = Array(self.n, Int(0, 4))

    @transition(i="n")
    def go(self, i: int) -> None:
        when(self.at[i] < 4)
        self.at[i] += 1

    @transition(i="n")
    def back(self, i: int) -> None:
        when(self.at[i] == 4 and all(self.at[k] > 1 for k in range(self.n)))
        self.at[i] = 0

    @transition
    def never(self) -> None:
        when(self.at[0] > self.at[1] + 4)
        self.at[0] = 0

    @invariant
    def on_the_track(self) -> bool:
        return self.at[0] <= 4


def fired_by_hand(model: Model) -> tuple[int, Counter[str]]:
    """The states that can be reached, and how often each transition fires in them."""
    run = Interpreter(compile_model(model))
    seen, fired = set(run.program.initial_states), Counter[str]()
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        for family in run.program.families:
            for command in range(family.first, family.first + family.size):
                after = run.fire(state, command)
                fired[family.name] += after is not None
                if after is not None and after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return len(seen), fired


@pytest.mark.parametrize("n", [3, 6])
def test_tries_and_firings_are_counted_exactly(n: int) -> None:
    states, fired = fired_by_hand(Carts(n=n)) if n == 3 else (15_625, None)
    verdict = check(Carts(n=n), profile=True)
    assert verdict.profile is not None and verdict.states == states
    by_name = {each.name: each for each in verdict.profile.transitions}
    assert sum(each.fired for each in by_name.values()) == verdict.edges
    assert by_name["never"].fired == 0
    assert {each.name: each.tried for each in by_name.values()} == {
        "go": states * n,
        "back": states * n,
        "never": states,
    }
    if fired is not None:
        assert {name: each.fired for name, each in by_name.items()} == dict(fired)


class Modes(Model):
    """Tables say which of its 40 commands are tried."""

    def state(self) -> None:
        self.mode = Int(0, 39)
        self.on = False

    @transition(m=40)
    def leave(self, m: int) -> None:
        when(self.mode == m and self.on)
        self.mode = (m + 1) % 40
        self.on = False

    @transition
    def switch(self) -> None:
        when(not self.on)
        self.on = True


def test_with_tables_only_candidates_are_tried() -> None:
    verdict = check(Modes(), profile=True)
    assert verdict.profile is not None
    by_name = {each.name: each for each in verdict.profile.transitions}
    assert (by_name["leave"].fired, by_name["switch"].fired) == (40, 40)
    assert by_name["leave"].tried < verdict.states * 40 / 4


def test_the_parts_are_all_of_the_time() -> None:
    verdict = check(Carts(n=6), profile=True)
    assert verdict.profile is not None
    seconds = verdict.profile.seconds
    assert all(spent >= 0 for spent in seconds.values())
    assert 0 < sum(seconds.values()) <= verdict.seconds.explore
    in_transitions = sum(each.seconds for each in verdict.profile.transitions)
    assert in_transitions == pytest.approx(seconds["guards"] + seconds["effects"])
    costs = [each.seconds for each in verdict.profile.transitions]
    assert costs == sorted(costs, reverse=True)


def test_the_sample_has_states_of_the_search_and_is_bounded() -> None:
    program = compile_model(Carts(n=6))
    model = compile(program)
    outcome = native.explore(model, Task(program.initial_states, profile=True), Limits())
    assert outcome.profile is not None
    states = list(model.unpack_run(outcome.profile.sample))
    assert 2048 <= len(states) <= 4096
    assert len(set(states)) == len(states)
    assert max(sum(state) for state in states) > 6 * 3 > min(sum(state) for state in states)


def test_it_is_shown_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{__file__}:Carts", "--profile"]) == 0
    shown = capsys.readouterr().out
    assert "  spent   " in shown and "look-ups" in shown
    assert "transitions by cost" in shown and "go (3 of them)" in shown
    main(["check", f"{__file__}:Carts", "--profile", "--json", "-"])
    profile = json.loads(capsys.readouterr().out)["profile"]
    assert {each["name"] for each in profile["transitions"]} == {"go", "back", "never"}
    assert set(profile["seconds"]) >= {"guards", "effects", "look-ups", "memory"}


def test_without_the_option_there_is_none() -> None:
    verdict = check(Carts())
    assert verdict.profile is None and json.loads(verdict.to_json())["profile"] is None


@pytest.mark.parametrize(
    "other", [{"threads": 2}, {"engine": "reference"}, {"coverage": True}, {"on_the_fly": True}, {"stubborn": "auto"}]
)
def test_what_it_does_not_go_with_is_said(other: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="profile"):
        check(Carts(), profile=True, **other)  # type: ignore[arg-type]
