"""Why nothing moves: who waits, where, for what, since when, and for whom."""

from __future__ import annotations

import pytest

import asset
from asset import Array, Int, Model, invariant, must_progress, process, terminal, transition, when
from asset.report.stillness import sentences
from asset.verdict import Stillness


class Polite(Model):
    """Each waits until the other no longer wants."""

    def state(self):
        self.wants = Array(2, False)

    @process(i="2")
    def customer(self, i):
        self.wants[i] = True
        yield
        when(not self.wants[1 - i])
        yield

    @terminal
    def never(self):
        return False


class Impolite(Polite):
    @invariant
    def one_wants(self):
        return not (self.wants[0] and self.wants[1])


class Orders(Model):
    """The boss gives work to the first worker only, and goes on for ever."""

    def state(self):
        self.orders = Array(3, False)
        self.done = Array(3, False)
        self.blink = False

    @process(i="(1, 2)")
    def worker(self, i):
        when(self.orders[i])
        self.done[i] = True
        yield

    @process
    def boss(self):
        self.orders[1] = True
        yield
        while True:
            self.blink = not self.blink
            yield

    @must_progress
    def all_done(self):
        return self.done[1] and self.done[2]


class Numbered(Model):
    """Transitions by number, in the style of the original ASSET."""

    def state(self):
        self.x = Int(0, 2)

    def nr_transitions(self):
        return 2

    def fire_transition(self, t):
        if self.x > t:
            return False
        self.x = 2
        return True

    @terminal
    def never(self):
        return False


class Lock(Model):
    """Who has the lock does not give it back: the others wait for its holder, though nobody owns the variable."""

    def state(self):
        self.holder = Int(-1, 1, -1)
        self.inside = Array(2, False)

    @transition(i="2")
    def enter(self, i):
        when(not self.inside[i])
        when(self.holder == -1)
        self.holder = i
        self.inside[i] = True

    @terminal
    def never(self):
        return False


def stillness(model: Model) -> Stillness:
    run = asset.check(model).counterexample
    assert run is not None
    return run.stillness


def told(model: Model) -> list[str]:
    return [text.replace("test_waiting.py", "m.py") for text in sentences(stillness(model))]


def line_of(text: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, start=1) if text in line)


def test_processes_that_wait_for_each_other_are_a_circle() -> None:
    at = line_of("when(not self.wants[1 - i])")
    assert told(Polite()) == [
        f"customer 0 waits at m.py:{at}: not wants[1] (wants[1] is True since step 1)",
        f"customer 1 waits at m.py:{at}: not wants[0] (wants[0] is True since step 2)",
        "customer 0 waits for customer 1, customer 1 waits for customer 0",
    ]


def test_in_a_cycle_some_wait_and_some_could_move_but_never_do() -> None:
    at = line_of("when(self.orders[i])")
    assert sorted(told(Orders())) == [
        f"worker 1 could fire worker@{at}(1) (m.py:{at}), but never does",
        f"worker 2 waits at m.py:{at}: orders[2] (orders[2] is False from the start)",
    ]


def test_a_transition_that_returns_false_says_what_it_tested() -> None:
    (first, second) = stillness(Numbered()).waiting
    assert [first.condition, second.condition] == ["not (self.x > t)"] * 2
    assert first.cells == (("x", 2, 1),)


def test_a_shared_variable_is_waited_for_at_who_assigned_it() -> None:
    still = stillness(Lock())
    (other,) = still.waiting
    inside = next(name for name in ("i=0", "i=1") if name != other.process)
    assert (other.on, still.finished, still.circle) == ((inside,), (inside,), ())


def test_a_safety_violation_says_nothing_of_waiting() -> None:
    assert "Why nothing moves" in str(asset.check(Polite()))
    assert "Why nothing moves" not in str(asset.check(Impolite()))


@pytest.mark.parametrize("field", ["waiting", "circle", "finished"])
def test_json_has_it(field: str) -> None:
    verdict = asset.check(Polite()).to_dict()
    assert field in verdict["counterexample"]["stillness"]
