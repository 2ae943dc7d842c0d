"""The state types mean the same in CPython, in the reference interpreter and in native code."""

from __future__ import annotations

import os
import random
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from agreement import Agreement
from compound_models import Everything
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from random_compounds import models
from random_mixtures import models as mixtures

from asset.errors import ModelRejected
from asset.frontends.python import load
from asset.ir.faults import Fault
from asset.model import cells_of, in_state

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "40"))
REJECTED = {
    "an item of a Map cannot be passed to a function",
    "a set that is written out is no item here",
    "this cannot be looked for here",
    "this calls something that changes the state",
    "the state changes while it is iterated over",
    "something before this changes the state, which this collection may read",
    "'is' compares objects, and numbers are not objects here",
    "'is' compares objects, and numbers and texts are none here",
}
"""What the random models do that the language does not take."""


def is_known(rejected: ModelRejected) -> bool:
    messages = [diagnostic.message for diagnostic in rejected.diagnostics]
    return all(m in REJECTED or m.endswith("changes the state here, which a property must not") for m in messages)


@pytest.fixture(scope="module")
def everything() -> Agreement:
    return Agreement(Everything())


def test_every_operation_of_every_type_means_the_same_in_any_order(everything: Agreement) -> None:
    class Machine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.state = everything.program.initial

        @rule(command=st.integers(0, everything.program.nr_commands - 1))
        def fire(self, command: int) -> None:
            self.state = everything.fire(self.state, command) or self.state

        @invariant()
        def equal_values_have_equal_cells(self) -> None:
            """Assigning each variable the value that it has changes nothing, bit by bit."""
            model = Everything()
            seen = in_state(model, self.state)
            for name in ("queue", "set", "pairs", "bag", "map", "owner", "draft", "pair", "box", "wire", "meeting"):
                setattr(model, name, getattr(seen, name))
                assert getattr(model, name) == getattr(seen, name)
            for k in range(2):
                model.mail[k] = seen.mail[k]
            for name in ("other", "echo", "cloud", "out"):
                setattr(model, name, getattr(seen, name))
            assert cells_of(model) == self.state

    run_state_machine_as_test(Machine, settings=settings(max_examples=20, stateful_step_count=30, deadline=None))


def test_a_random_walk_fires_every_operation_that_is_not_always_a_mistake(everything: Agreement) -> None:
    """What the machine above relies on: it can get anywhere."""
    dice, state, fired = random.Random(7), everything.program.initial, set[int]()
    for _ in range(6000):
        command = dice.randrange(everything.program.nr_commands)
        with suppress(Fault):
            after = everything.reference.fire(state, command)
            if after is not None:
                fired.add(command)
                state = after
    names = {everything.program.command_name(c) for c in range(everything.program.nr_commands) if c not in fired}
    outside = {
        "put(0)",
        "put_where_there_is_room(3)",
        "get_at(3)",
        "add(-1)",
        "add(3)",
        "remove(-1)",
        "remove(3)",
        "leave(0)",
    }
    assert names == outside | {"look(3)", "into_bag(0)", "out_of_bag(0)", "rearrange(2)", "lose(2)", "dry(0)"}


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(), st.integers(0, 9))
def test_types_nested_at_random_mean_the_same(text: str, dice: int) -> None:
    """One in ten is compiled to machine code, which takes longer than all the rest."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        try:
            agreement = Agreement(load(str(file), {}), compiled=dice == 0)
        except ModelRejected as rejected:
            assert is_known(rejected)
            return
        agreement.explore()


@settings(max_examples=max(10, EXAMPLES // 5), deadline=None, suppress_health_check=list(HealthCheck))
@given(mixtures(), st.integers(0, 9))
def test_everything_that_the_language_takes_means_the_same(text: str, dice: int) -> None:
    """Firing by firing, in the first states of each model."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_mixture.py"
        file.write_text(text)
        try:
            agreement = Agreement(load(str(file), {}), compiled=dice == 0)
        except ModelRejected as rejected:
            assert is_known(rejected)
            return
        agreement.explore(12)
