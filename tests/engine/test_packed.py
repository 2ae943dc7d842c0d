"""Wide states as keys (native/pieces.h): the native engine finds what the reference engine does."""

from __future__ import annotations

from pathlib import Path

import pytest

from asset.checks import CheckOptions, check
from asset.languages import ModelSpec, load
from asset.verdict import Answer, Verdict

WIDE = """
from asset import Array, Int, Model, invariant, transition, when


class Wide(Model):
    n: int = 9
    bad: int = -1

    def state(self):
        self.value = Array(self.n, Int(0, 2**60 - 1))
        self.fired = Array(self.n, Int(0, 2))

    @transition(i="n")
    def step(self, i):
        when(self.fired[i] < 2 and (i < 3 or self.fired[i - 1] == 2))
        self.fired[i] += 1
        more = self.value[(i + self.n - 1) % self.n] % 2**20 * 2**31
        self.value[i] = (self.value[(i + 1) % self.n] * 3 + more + i + 1) % 2**60

    @invariant
    def not_bad(self):
        return sum(self.fired) != self.bad
"""


SCRAMBLED = """
from asset import Array, Int, Model, invariant, transition, when


class Scrambled(Model):
    n: int = 16
    calm: int = 0

    def state(self):
        self.value = Array(self.n, Int(0, 2**62 - 1))
        self.steps = Int(0, 20000)

    @transition
    def step(self):
        when(self.steps < 20000)
        self.steps += 1
        for i in range(self.n):
            if self.steps > self.calm:
                self.value[i] = (self.value[i] % 2**31 * 1103515245 + i + 1) % 2**31 * 2**31 + self.steps

    @invariant
    def counted(self):
        return self.steps <= 20000
"""


def test_states_whose_words_hardly_repeat_are_kept_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "scrambled.py"
    file.write_text(SCRAMBLED, encoding="utf-8")
    asked = CheckOptions(stubborn="off", symmetry="off", max_memory=64 << 20)  # what does not depend on states is small
    verdict = check(load(ModelSpec(str(file), {})), asked)
    assert verdict.states == 20_001
    assert verdict.memory is not None
    as_they_are = 8 * 17
    assert verdict.memory.bytes_per_state < 2.5 * as_they_are


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_whose_keys_have_no_room_begins_anew_with_trees(tmp_path: Path, threads: int) -> None:
    """The states that are looked at beforehand do not show how many values there will be."""
    file = tmp_path / "scrambled.py"
    file.write_text(SCRAMBLED, encoding="utf-8")
    asked = CheckOptions(stubborn="off", symmetry="off", threads=threads)
    verdict = check(load(ModelSpec(str(file), {"calm": "2000"})), asked)
    assert (verdict.states, verdict.answer) == (20_001, Answer.HOLDS)
    assert verdict.memory is not None
    assert verdict.memory.nodes is not None


def checked(
    folder: Path, bad: int = -1, engine: str = "native", threads: int = 1, n: int = 9, termination: bool = False
) -> Verdict:
    file = folder / "wide.py"
    file.write_text(WIDE, encoding="utf-8")
    options = CheckOptions(stubborn="off", symmetry="off", engine=engine, threads=threads, termination=termination)
    return check(load(ModelSpec(str(file), {"n": str(n), "bad": str(bad)})), options)


@pytest.mark.parametrize("threads", [1, 2])
def test_both_engines_find_the_same_wide_states(tmp_path: Path, threads: int) -> None:
    expected = checked(tmp_path, engine="reference")
    found = checked(tmp_path, threads=threads)
    assert expected.states > 1000
    assert (found.states, found.edges, found.depth) == (expected.states, expected.edges, expected.depth)
    assert found.answer is expected.answer is Answer.HOLDS


@pytest.mark.parametrize("n", range(3, 18))
def test_states_of_every_width_are_found_once_with_and_without_their_edges(tmp_path: Path, n: int) -> None:
    """Code is compiled for some widths, so each is tried, and the first one beyond them."""
    expected = checked(tmp_path, engine="reference", n=n, termination=True)
    for found in (checked(tmp_path, n=n), checked(tmp_path, n=n, termination=True)):
        assert (found.states, found.edges, found.depth) == (expected.states, expected.edges, expected.depth)
        assert found.answer is expected.answer is Answer.HOLDS


def test_a_run_to_a_wide_state_is_shown(tmp_path: Path) -> None:
    found = checked(tmp_path, bad=12)
    assert found.answer is Answer.VIOLATED
    assert found.counterexample is not None
    assert len(found.counterexample) == 1 + 12
