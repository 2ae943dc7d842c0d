"""Derived stubborn set rules on random models: what the theorems say is preserved is, and the sets are stubborn.

ASSET_EXAMPLES=50000 makes a long run of 150 000 models. What is compared is terminal states, termination and what is
wrong. May progress need not be: where a terminal state can be reached from every state, progress is lost exactly where
some terminal state is without it (Theorem 5). The rules are also weakened on purpose, one thing at a time: each must
make these tests fail, or they would not notice.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import product
from operator import or_
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
import stubborn_oracle as oracle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_processes import model

from asset import Answer, Int, Model, check, transition, when
from asset.analysis import watch
from asset.analysis.stubborn import commuting, derivation, obligation_rules
from asset.analysis.stubborn.derivation import DerivationLimits, derive
from asset.analysis.stubborn.obligation_rules import ObligationLimits
from asset.analysis.stubborn.runs import UnfoldingEffort
from asset.analysis.stubborn.value_flow import ValueFlow
from asset.analysis.values.domains import CellDomains
from asset.analysis.watch import Observer
from asset.frontends.python import compile_model, load
from asset.ir.derived import ObligationCase
from asset.ir.program import Program

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "400"))
STATES = 400
DEPTH = 3

LIMITS = {
    "generous": DerivationLimits(),
    "meagre": DerivationLimits(
        effort=UnfoldingEffort(ways=8, steps=400, cases=3),
        paths=40,
        pair_steps=50,
        obligations=ObligationLimits(alternatives=2),
    ),
    "classed": DerivationLimits(values=1, classes=3),
    "near": DerivationLimits(values=2, near=6),
    "crowded": DerivationLimits(obligations=ObligationLimits(pairs=0)),
}
"""With meagre ones, much is opaque, and there are few mutexes. Cells have few classes of values, or pairs are those of
cells near each other only, in these small models as in large ones otherwise."""

tapes = st.binary(min_size=20, max_size=250)


Cases = tuple[ObligationCase, ...]


WIDER = {"Int(0, 2)": "Int(-300, 300, 0)", "Int(-1, 2, 1)": "Int(-300, 300, 1)"}
"""Types with more values than are looked at one by one."""


@contextmanager
def loaded(tape: Sequence[int], types: Mapping[str, str] | None = None) -> Iterator[Model]:
    text = model(tape)
    for narrow, wide in (types or {}).items():
        text = text.replace(narrow, wide)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        yield load(str(file), {})


def compiled(tape: Sequence[int], types: Mapping[str, str] | None = None) -> Program:
    with loaded(tape, types) as made:
        return compile_model(made)


@dataclass
class Subject:
    """A model to try rules on; its full spaces, with and without its invariants, are made once."""

    program: Program
    spaces: dict[bool, tuple[oracle.Behaviour, oracle.Space]] = field(default_factory=dict)

    def breach(self, limits: DerivationLimits, asked: bool, observer: Observer | None = None) -> str | None:
        """What is wrong with the rules that are derived for it, the invariants being asked for or not."""
        invariants = oracle.invariants_of(self.program) if asked else []
        if asked not in self.spaces:
            behaviour = oracle.Behaviour(self.program, invariants)
            self.spaces[asked] = behaviour, oracle.full(behaviour, STATES)
        behaviour, whole = self.spaces[asked]
        part = oracle.reduced(behaviour, derive(self.program, invariants, limits, observer).rules)
        return oracle.compare(whole, part) or oracle.audit(behaviour, part, DEPTH)


@pytest.mark.parametrize("name", LIMITS)
def test_derived_stubborn_sets_preserve_what_the_theorems_say(name: str) -> None:
    @settings(max_examples=EXAMPLES // 2, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(tapes)
    def on_random_models(tape: bytes) -> None:
        with suppress(oracle.TooLarge):
            assert Subject(compiled(tape)).breach(LIMITS[name], asked=tape[-1] % 3 > 0) is None

    on_random_models()


def test_few_values_of_variables_that_could_have_many_are_told_apart_rightly() -> None:
    told_apart = 0

    @settings(max_examples=EXAMPLES // 8, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(tapes)
    def on_random_models(tape: bytes) -> None:
        nonlocal told_apart
        program = compiled(tape, WIDER)
        cells = zip(program.cell_variables, CellDomains(program).domains, strict=True)
        told_apart += any(variable.type.hi == 300 and domain is not None for variable, domain in cells)
        with suppress(oracle.TooLarge):
            assert Subject(program).breach(LIMITS["generous"], asked=tape[-1] % 3 > 0) is None

    on_random_models()
    assert told_apart > EXAMPLES // 80


def test_rules_are_stubborn_whenever_the_analysis_runs_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "EVERY", 0)

    @settings(max_examples=EXAMPLES // 2, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(tapes, st.integers(0, 400))
    def on_random_models(tape: bytes, questions: int) -> None:
        left = iter(range(questions))
        with suppress(oracle.TooLarge):
            hurried = Subject(compiled(tape)).breach(LIMITS["generous"], True, lambda *_: next(left, None) is not None)
            assert hurried is None

    on_random_models()


@settings(max_examples=max(60, EXAMPLES // 50), deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(tapes)
def test_verdicts_are_those_of_the_full_model_wherever_it_is_always_may_terminating(tape: bytes) -> None:
    with loaded(tape) as made:
        plain = check(made, engine="reference", max_states=STATES)
        reduced = check(made, stubborn="auto", engine="reference", max_states=STATES)
    if Answer.UNDECIDED in (plain.answer, reduced.answer):
        return
    if reduced.violation is None or reduced.violation.kind != "termination":
        assert reduced.answer is plain.answer
    elif plain.answer is Answer.HOLDS:
        behaviour = oracle.Behaviour(compiled(tape), [])
        assert not oracle.full(behaviour, STATES).always_may_terminate


# --- the test of the test ---------------------------------------------------------------------------------------


@cache
def sample(number: int) -> Subject:
    """A model of its own for each number."""
    random = Random(number)
    return Subject(compiled([random.randrange(1000) for _ in range(random.randrange(30, 250))]))


def noticed(most: int) -> bool:
    """Whether some breach is found among so many models."""
    for number, limits, asked in product(range(most), LIMITS.values(), (True, False)):
        with suppress(oracle.TooLarge):
            if sample(number).breach(limits, asked) is not None:
                return True
    return False


class Stairs(Model):
    """What competes for the flag is two steps away: rare among random models."""

    def state(self):
        self.x = Int(0, 2)
        self.flag = False

    @transition
    def climb(self):
        when(self.x < 2)
        self.x = 1 if self.x == 0 else 2

    @transition
    def take_above(self):
        when(self.x == 2 and not self.flag)
        self.flag = True

    @transition
    def take(self):
        when(not self.flag)
        self.flag = True


def without(kind: commuting.ConflictKind, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = commuting._at

    def weakened(*args: object) -> commuting.ConflictKind | None:
        found = whole(*args)  # type: ignore[arg-type]
        return None if found is kind else found

    monkeypatch.setattr(commuting, "_at", weakened)


@pytest.mark.parametrize("kind", commuting.ConflictKind)
def test_it_is_noticed_that_a_kind_of_conflict_is_ignored(
    kind: commuting.ConflictKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(kind, monkeypatch)
    assert noticed(600)


def test_it_is_noticed_that_nobody_is_obliged_for_a_value_to_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ValueFlow, "changers", lambda *args: 0)
    assert noticed(600)


def test_it_is_noticed_that_only_the_last_step_towards_a_value_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def last_step(flow: ValueFlow, cell: int, value: int, targets: int) -> int:
        return reduce(or_, (paths for results, paths in flow.moves(cell)[value].items() if results & targets), 0)

    stairs = Subject(compile_model(Stairs()))
    assert stairs.breach(LIMITS["generous"], asked=False) is None
    monkeypatch.setattr(ValueFlow, "changers", last_step)
    assert stairs.breach(LIMITS["generous"], asked=False) is not None


def test_it_is_noticed_that_comparisons_and_sums_are_thought_never_to_become_true(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ValueFlow, "enablers", lambda *args: 0)
    assert noticed(1000)


def test_it_is_noticed_that_invariants_and_model_errors_are_not_taken_into_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(derivation._Deriving, "_imagined", lambda *args: [])
    assert noticed(1000)


def test_it_is_noticed_that_imaginary_transitions_oblige_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = obligation_rules.ObligationRules.both

    def weakened(self: obligation_rules.ObligationRules, node: int) -> tuple[Cases, Cases]:
        return whole(self, node) if node < self.nr_commands else ((), ())

    monkeypatch.setattr(obligation_rules.ObligationRules, "both", weakened)
    assert noticed(1000)


def test_it_is_noticed_that_disabled_transitions_oblige_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligation_rules.ObligationRules, "_where_disabled", lambda *args: iter(()))
    assert noticed(600)


def test_it_is_noticed_that_enabled_transitions_oblige_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligation_rules.ObligationRules, "_conflicting", lambda *args: iter(()))
    assert noticed(600)


def test_it_is_noticed_that_what_was_disabled_is_thought_to_stay_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligation_rules.ObligationRules, "_ways_to_end", lambda *args: iter([frozenset()]))
    assert noticed(600)


def test_it_is_noticed_that_every_command_is_thought_to_be_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "keys", lambda rules, nodes: nodes)
    assert noticed(600)


def test_it_is_noticed_that_paths_are_thought_to_exclude_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligation_rules, "compatible", lambda *args: False)
    assert noticed(600)


def test_it_is_noticed_that_hidden_cells_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commuting, "_reads_result", lambda *args: False)
    assert noticed(600)
