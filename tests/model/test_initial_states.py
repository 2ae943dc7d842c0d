"""Several initial states: choices in `state()`, and the search for what `@initial` asks for."""

from __future__ import annotations

from enum import IntEnum
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from asset import (
    Array,
    Int,
    Map,
    Model,
    ModelRejected,
    Optional,
    Queue,
    Set,
    Verdict,
    check,
    choose,
    initial,
    invariant,
    load,
    must_progress,
    process,
    state_graph,
    subsets,
    temporal,
    terminal,
    transition,
    when,
)
from asset.cli.explorer.app import ExplorerRequests
from asset.cli.explorer.session import Session
from asset.cli.main import main
from asset.languages import ModelSpec
from asset.model import cells_of
from asset.model.temporal_words import EF

ENGINES = ("reference", "native")


class Colour(IntEnum):
    RED = 1
    BLUE = 4


class Ring(Model):
    """Dijkstra's ring, which stabilises by itself: it may begin in any state."""

    n: int = 3
    k: int = 3

    def state(self) -> None:
        self.x = Array(self.n, Int(0, self.k - 1))
        for i in range(self.n):
            self.x[i] = choose(range(self.k))

    @transition
    def first(self) -> None:
        when(self.x[0] == self.x[self.n - 1])
        self.x[0] = (self.x[0] + 1) % self.k

    @transition(i="range(1, n)")
    def other(self, i: int) -> None:
        when(self.x[i] != self.x[i - 1])
        self.x[i] = self.x[i - 1]

    @must_progress
    def one_privilege(self) -> bool:
        return sum(self.x[i] != self.x[i - 1] for i in range(1, self.n)) + (self.x[0] == self.x[self.n - 1]) == 1

    @terminal
    def never(self) -> bool:
        return False


def in_both(model: Model, **options: Any) -> Verdict:
    """The verdict, which both engines agree on."""
    one, other = (check(model, engine=engine, **options) for engine in ENGINES)
    facts = [(v.answer, v.states, v.edges, v.depth, v.terminal_states, v.initial_states) for v in (one, other)]
    assert facts[0] == facts[1]
    runs = [None if v.counterexample is None else [s.state for s in v.counterexample.steps] for v in (one, other)]
    assert runs[0] == runs[1]
    return other


def test_every_combination_of_choices_is_an_initial_state_and_no_state_is_added() -> None:
    verdict = in_both(Ring())
    assert verdict.holds
    assert (verdict.states, verdict.depth, verdict.initial_states) == (27, 0, 27)
    assert "27 initial states" in str(verdict)
    assert [list(each.x) for each in Ring(n=2, k=2).initial_states()] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert not in_both(Ring(n=4, k=2)).holds  # too few values to stabilise


class Chosen(Model):
    def state(self) -> None:
        self.members = Set(3, choose(subsets({0, 2})))
        self.colour = choose(Colour)
        self.count = Int(0, 5, choose(range(2)) if self.colour == Colour.RED else 5)
        self.queue = Queue(2, Int(0, 2))
        for item in self.members:
            self.queue.put(item)

    @process
    def worker(self) -> Any:
        when(self.queue.empty())
        yield
        self.count = 1

    @transition
    def take(self) -> None:
        when(not self.queue.empty())
        taken = self.queue.get()
        self.members.remove(taken)

    @invariant
    def not_all_is_one(self) -> bool:
        return not (self.count == 1 and self.colour == Colour.BLUE)


def test_choices_may_depend_on_earlier_ones_and_be_of_sets_and_enums() -> None:
    begun = [(set(m.members), m.colour, m.count, list(m.queue)) for m in Chosen().initial_states()]
    colours = [(Colour.RED, 0), (Colour.RED, 1), (Colour.BLUE, 5)]
    members = [frozenset[int](), {0}, {2}, {0, 2}]
    assert begun == [(set(m), colour, count, sorted(m)) for m in members for colour, count in colours]


def test_a_counterexample_begins_in_the_initial_state_that_it_needs() -> None:
    verdict = in_both(Chosen())
    assert verdict.violated and verdict.counterexample is not None
    assert verdict.counterexample[0].colour == Colour.BLUE
    assert set(verdict.counterexample[0].members) == set()
    assert "initial state" in str(verdict)


def test_what_holds_in_an_initial_state_only_is_found_at_once() -> None:
    class Wrong(Chosen):
        @invariant
        def small(self) -> bool:
            return len(self.members) < 2

    verdict = in_both(Wrong())
    assert verdict.counterexample is not None and len(verdict.counterexample) == 1
    assert "in an initial state" in str(verdict)


def test_equal_choices_make_one_state() -> None:
    class Same(Ring):
        def state(self) -> None:
            self.x = Array(self.n, Int(0, self.k - 1))
            self.x[0] = choose(0, 1, 1, 0)

    assert len(Same().initial_states()) == 2


class Searched(Model):
    """What may be in a queue, an optional, a map and a set that the predicate reads in part."""

    def state(self) -> None:
        self.queue = Queue(2, Int(0, 2))
        self.best = Optional(Int(1, 3))
        self.known = Map(Colour, Int(0, 1))
        self.members = Set(Colour)
        self.other = Int(0, 9, 7)

    @initial
    def begins(self) -> bool:
        return len(self.queue) != 1 and (self.best is None or self.best == 2)

    @initial
    def and_also(self) -> bool:
        return Colour.RED in self.known or Colour.BLUE in self.members

    @transition
    def step(self) -> None:
        when(not self.queue.empty())
        self.queue.get()


def test_the_search_finds_exactly_the_states_that_satisfy_the_predicates() -> None:
    queues = [[], *map(list, product(range(3), repeat=2))]
    maps = [dict(zip((1, 4), values, strict=True)) for values in product((None, 0, 1), repeat=2)]
    sets = [{c for c, there in zip((1, 4), bits, strict=True) if there} for bits in product((0, 1), repeat=2)]
    expected = [
        (queue, best, {k: v for k, v in known.items() if v is not None}, members)
        for queue, best, known, members in product(queues, (None, 2), maps, sets)
        if known[1] is not None or 4 in members
    ]
    found = [
        (list(m.queue), m.best, {int(k): m.known[k] for k in m.known}, set(m.members))
        for m in Searched().initial_states()
    ]
    assert len(found) == len(expected)
    assert all(each in expected for each in found)
    assert all(m.other == 7 for m in Searched().initial_states())  # nothing was said of it
    assert in_both(Searched()).initial_states == len(expected)


class Sorted(Ring):
    """Of 4^8 arrays, few are asked about."""

    n: int = 8
    k: int = 4

    def state(self) -> None:
        self.x = Array(self.n, Int(0, self.k - 1))

    @initial
    def in_order(self) -> bool:
        return all(self.x[i - 1] <= self.x[i] for i in range(1, self.n))


def test_what_is_decided_early_is_not_searched_further() -> None:
    assert len(Sorted().initial_states()) == 165
    assert len(Sorted(n=12, k=3).initial_states()) == 91  # of 531,441


MISTAKES = {
    "no state is an initial one: begins never returned True": "return self.x[0] > 2",
    "begins returned 0, not whether the state is an initial one": "return self.x[0]",
    "changes the state": "self.x[0] = 1; return True",
    "begins fails in a state that it is asked about: ZeroDivisionError": "return 1 // self.x[0] == 1",
    "not all initial states were found": "return sum(self.y) == 3",
    "wide has 4,294,967,296 values, too many to try": "return self.wide == 3",
    "state() chooses, and @initial searches": "return choose(1, 2) == 1",
}

MISTAKEN = """
from asset import Array, Bits, Int, Model, choose, initial, transition

class Mistaken(Model):
    def state(self):
        self.x = Array(2, Int(0, 2))
        self.y = Array(40, Int(0, 3))
        self.wide = Bits(32)
        {chosen}

    @initial
    def begins(self):
        {body}

    @transition
    def step(self):
        self.x[0] = 0
"""


@pytest.mark.parametrize("message", MISTAKES)
def test_a_predicate_that_cannot_be_searched_says_why(message: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("asset.model.initial_states.MOST_TRIED", 2_000)
    file = tmp_path / "mistaken.py"
    chosen = "self.x[0] = choose(0, 1)" if "chooses" in message else "pass"
    file.write_text(MISTAKEN.format(chosen=chosen, body=MISTAKES[message]))
    with pytest.raises(ModelRejected) as caught:
        check(load(str(file)))
    assert message in str(caught.value) and "mistaken.py" in str(caught.value)


class OfShape(Ring):
    def state(self) -> None:
        self.x = Array(choose(2, 3), Int(0, 2))


class OfNothing(Ring):
    def state(self) -> None:
        self.x = Array(3, Int(0, 2))
        self.x[0] = choose(())


def test_choices_that_mean_nothing_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelRejected, match=r"the declaration of self\.x depends on a choice"):
        OfShape()
    with pytest.raises(ModelRejected, match="nothing to choose from"):
        OfNothing()
    monkeypatch.setattr("asset.model.model.MOST_STATES", 20)
    with pytest.raises(ModelRejected, match="initial states"):
        Ring()
    with pytest.raises(ModelRejected, match="outside of a transition, a process and state"):
        choose(1, 2)


class Race(Model):
    """Parts that are alike, though the states that runs begin in are not symmetric."""

    n: int = 4
    leader: int = 0

    def state(self) -> None:
        self.at = Array(self.n, Int(0, 2))
        self.at[0] = choose(0, 1)
        self.at[self.n - 1] = choose(0, 2)

    @transition(i="n")
    def go(self, i: int) -> None:
        when(self.at[i] < 2)
        self.at[i] += 1

    @invariant
    def not_two_in_the_middle(self) -> bool:
        return sum(at == 1 for at in self.at) < 4

    @must_progress
    def done(self) -> bool:
        return self.at[1] == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_reductions_keep_the_answers_if_the_initial_states_are_not_symmetric(engine: str) -> None:
    plain = check(Race(), engine=engine)
    for options in ({"symmetry": "auto"}, {"stubborn": "auto"}, {"symmetry": "auto", "stubborn": "auto"}):
        reduced = check(Race(), engine=engine, **options)
        assert [(c.name, c.answer) for c in reduced.checked] == [(c.name, c.answer) for c in plain.checked]
        assert reduced.counterexample is not None and plain.counterexample is not None
        assert len(reduced.counterexample) == len(plain.counterexample)
        assert cells_of(reduced.counterexample[0]) in map(cells_of, Race().initial_states())
    assert check(Race(), engine=engine, symmetry="auto", only=["safety"]).reduction.group_order == 24


class Branching(Model):
    def state(self) -> None:
        self.x = Int(0, 3, choose(0, 2))

    @transition
    def up(self) -> None:
        when(self.x < 3 and self.x != 1)
        self.x += 1

    @temporal
    def the_top_can_be_reached(self) -> Any:
        return EF(self.x == 3)


def test_formulas_hold_in_all_initial_states() -> None:
    verdict = in_both(Branching())
    assert verdict.violated and verdict.counterexample is not None and verdict.counterexample[0].x == 0
    assert "in an initial state" in str(verdict)
    assert in_both(Ring(), ltl=["F (x[0] == x[1] or x[1] == x[2])"]).holds
    broken = in_both(Ring(), ltl=["x[0] == 0"])
    assert broken.violated and broken.counterexample is not None and broken.counterexample[0].x[0] == 1


LAMP = """
from asset import Model, choose, invariant, transition, when

class Lamp(Model):
    def state(self):
        self.on = choose(False, True)
        self.broken = choose(False, True)

    @transition
    def switch(self):
        when(not self.broken)
        self.on = not self.on

    @invariant
    def dark(self):
        return not (self.on and self.broken)
"""


def test_commands_show_and_choose_the_initial_state(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lamp.py"
    file.write_text(LAMP)
    lines = iter(["i\n", "i 2\n", "0\n", "i 9\n", "c\n", ""])
    monkeypatch.setattr("sys.stdin", type("Pipe", (), {"readline": lambda _: next(lines), "isatty": lambda _: False})())
    main(["step", str(file)])
    said = capsys.readouterr().out
    assert "initial state 0 of 4: i lists them" in said and "2  on = True" in said
    assert "initial state 2 of 4" in said and "there is no initial state 9" in said
    assert "initial state 3 of 4" in said  # the counterexample's
    runs = set()
    for seed in range(12):
        main(["run", str(file), "--random", str(seed), "--steps", "1"])
        runs.add(capsys.readouterr().out.partition("initial state")[2])
    assert len(runs) == 4
    made = state_graph(load(str(file)))
    assert sum("initial" in {mark.value for mark in node.marks} for node in made.nodes) == 4
    assert main(["graph", str(file), "-o", str(tmp_path / "lamp.aut")]) == 2
    assert "an aut file has one initial state, and the model has 4" in capsys.readouterr().err


def test_the_explorer_begins_in_the_initial_state_that_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "lamp.py"
    file.write_text(LAMP)
    explorer = ExplorerRequests(Session.of(ModelSpec(str(file))))
    assert explorer.model({})["starts"] == 4
    assert explorer.state({"run": [], "at": 0, "start": 2})["state"] == {"on": "True", "broken": "False"}
    assert explorer.state({"run": [0], "at": 1, "start": 2})["state"] == {"on": "False", "broken": "False"}
    assert explorer.state({"run": [0], "at": 1})["state"] == {"on": "True", "broken": "False"}
    explorer.check({})
    assert explorer.checking is not None
    explorer.checking._thread.join()
    assert explorer.progress({})["start"] == 3 and explorer.progress({})["run"] == []
