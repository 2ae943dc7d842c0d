"""Ways through atomic sequences are all taken, however many there are. What is beyond a limit is undecided."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.errors import UsageError
from asset.frontends.promela import stepping
from asset.languages import ModelSpec, load
from asset.translation.python_model import python_model
from asset.verdict import Answer, Verdict
from tests.frontends.promela.test_corpus import COUNTS, spec

ARRAY = """
byte a[3]; byte x;
active [2] proctype P() { byte i;
  do
  :: atomic { x < 1; i = 0;
       do :: i < 3 -> if :: a[i] = 0 :: a[i] = 1 :: a[i] = 2 fi; i++ :: i > 1 -> break od;
       x++ }
  :: x > 0 -> x--
  od
}
"""

ENDLESS = """
bit x; byte y;
init { atomic { do :: x = 1 - x :: break od }; y = 1 }
"""

NUMBERS = """
byte number[N]; byte given; byte seen;
proctype Node(byte mine) { atomic { seen < 2 -> seen++ } mine > 0; atomic { seen--; given = mine } }
init { byte i;
  atomic {
    i = 1;
    do
    :: i <= N ->
       if
       :: number[0] == 0 -> number[0] = i
       :: number[1] == 0 -> number[1] = i
       :: number[2] == 0 -> number[2] = i
       :: number[3] == 0 -> number[3] = i
       :: number[4] == 0 -> number[4] = i
       :: N > 5 && number[5 % N] == 0 -> number[5 % N] = i
       fi;
       i++
    :: i > N -> break
    od;
    run Node(number[0]); run Node(number[1])
  }
}
"""


def checked(tmp_path: Path, text: str, stubborn: str = "off", **macros: str) -> Verdict:
    file = tmp_path / "model.pml"
    file.write_text(text)
    return asset.check(load(ModelSpec(str(file), macros)), stubborn=stubborn, symmetry="off")


@pytest.mark.parametrize("name", ["atomic_choice", "atomic_loop", "rendezvous_atomic_receivers"])
def test_choices_that_are_drawn_have_the_counts_of_spin(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepping, "MOST_COMMANDS", 1)
    subject = load(spec(name))
    assert subject.executable().program.draws
    for engine in ("native", "reference"):
        verdict = asset.check(subject, only=["termination"], stubborn="off", symmetry="off", engine=engine)
        assert [verdict.states, verdict.edges] == COUNTS[name][:2]


def test_many_ways_through_a_sequence_are_all_taken(tmp_path: Path) -> None:
    verdict = checked(tmp_path, ARRAY)
    assert verdict.holds
    assert (verdict.states, verdict.edges) == (220_969, 472_248)  # SPIN's


def test_more_ways_than_numbers_tell_apart_are_undecided(tmp_path: Path) -> None:
    verdict = checked(tmp_path, ENDLESS)
    assert verdict.answer is Answer.UNDECIDED
    assert verdict.caveats[0].code == "step-limit"
    assert "-D _ways=1048576" in verdict.caveats[0].message


def test_more_numbers_can_be_allowed(tmp_path: Path) -> None:
    assert checked(tmp_path, ARRAY, _ways="16").answer is Answer.UNDECIDED
    with pytest.raises(UsageError, match="not a number from 1"):
        checked(tmp_path, ARRAY, _ways="many")


@pytest.mark.parametrize(("nodes", "ways"), [(5, 120), (6, 720)])
def test_ways_that_runs_begin_with_are_commands_of_their_own(tmp_path: Path, nodes: int, ways: int) -> None:
    verdict = checked(tmp_path, NUMBERS, N=str(nodes))
    assert verdict.holds
    assert (verdict.states, verdict.edges) == (26 * ways + 1, 37 * ways)  # SPIN's
    program = load(ModelSpec(str(tmp_path / "model.pml"), {"N": str(nodes)})).executable().program
    assert not program.draws
    assert max(family.size for family in program.families) == ways


def test_what_follows_ways_that_runs_begin_with_is_reduced(tmp_path: Path) -> None:
    full, reduced = (checked(tmp_path, NUMBERS, each, N="5") for each in ("off", "auto"))
    assert reduced.holds and not reduced.caveats
    assert 120 < reduced.states < full.states


def test_a_thousand_ways_that_runs_begin_with_are_followed_by_reductions(tmp_path: Path) -> None:
    dice = "; ".join(f"if {' '.join(f':: d[{k}] = {n}' for n in range(6))} fi" for k in range(4))
    text = (
        "byte d[4];\nproctype Player(byte k) { byte s; s = d[k]; s = s + 1; s = s + d[k + 1] }\n"
        f"init {{ atomic {{ {dice}; run Player(0); run Player(2) }} }}\n"
    )
    full, reduced = (checked(tmp_path, text, each) for each in ("off", "auto"))
    assert reduced.holds and not reduced.caveats
    assert 6**4 < reduced.states < full.states / 2


def test_choices_that_are_drawn_are_translated(tmp_path: Path) -> None:
    text = (
        ARRAY.replace("[2]", "[1]").replace("a[3]", "a[2]").replace("i < 3", "i < 2").replace("x++ }", "i = 0; x++ }")
    )
    verdict = checked(tmp_path, text, _ways="512")
    subject = load(ModelSpec(str(tmp_path / "model.pml"), {"_ways": "512"}))
    assert subject.executable().program.draws
    file = tmp_path / "model.py"
    file.write_text(python_model(subject.executable().program))
    translated = asset.check(load(ModelSpec(str(file))), stubborn="off", symmetry="off")
    assert (translated.states, translated.edges) == (verdict.states, verdict.edges)


def test_more_processes_than_there_is_room_for_are_undecided(tmp_path: Path) -> None:
    text = "byte n;\nproctype P() { n++ }\nactive proctype Q() { do :: n < 9 -> run P() od }\n"
    verdict = checked(tmp_path, text, _processes="4")
    assert verdict.answer is Answer.UNDECIDED
    assert "too many processes: P would have number 4" in verdict.caveats[0].message
