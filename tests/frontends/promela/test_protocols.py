"""Programs in many styles, in `protocols/`: SPIN finds as many states and transitions, says the same, and leaves no
fewer states.

`spin.json` has what SPIN 6.5.2 says of each: states and transitions without reductions; whether something is wrong in a
state; the least number of states that its reduction leaves without merging statements, depth-first or breadth-first;
and, for each formula and kind of label, whether a run violates it, and whether a weakly fair one does.

ASSET_EXAMPLES=100 asks SPIN again for the counts of all of them, if it is installed.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TypedDict

import pytest

import asset
from asset.ir.requirements import OfRuns
from asset.languages import ModelSpec, load
from asset.verdict import Verdict
from tests.support import spin_oracle


class Said(TypedDict):
    states: int
    transitions: int
    wrong: bool
    reduced: int
    runs: dict[str, list[bool]]


PROTOCOLS = Path(__file__).parent / "protocols"
SAID: dict[str, Said] = json.loads((PROTOCOLS / "spin.json").read_text())
EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "2"))
CORRECT = [name for name, said in SAID.items() if not said["wrong"]]
RUNS = [(name, asked) for name, said in SAID.items() for asked in said["runs"]]
CLAIMED = [name for name in SAID if re.search(r"\bnever\b", (PROTOCOLS / f"{name}.pml").read_text())]

LUCK = {"inline_nest": 300}
"""Of several sets of one step, SPIN takes another: which one leads to fewer states is not known in advance."""


def checked(name: str, only: list[str], stubborn: str = "off") -> Verdict:
    spec = ModelSpec(str(PROTOCOLS / f"{name}.pml"))
    return asset.check(load(spec), only=only, stubborn=stubborn, symmetry="off", engine="reference")


def test_every_program_has_what_spin_says() -> None:
    assert {file.stem for file in PROTOCOLS.glob("*.pml")} == set(SAID)
    assert len(SAID) >= 60


@pytest.mark.parametrize("name", CORRECT)
def test_states_and_transitions_are_those_of_spin(name: str) -> None:
    verdict = checked(name, ["termination"])
    assert (verdict.states, verdict.edges) == (SAID[name]["states"], SAID[name]["transitions"])


@pytest.mark.parametrize("name", [name for name in SAID if name not in CLAIMED])
def test_no_more_states_are_left_than_by_spin(name: str) -> None:
    said = SAID[name]
    verdict = checked(name, ["deadlock"], "auto")
    assert verdict.violated is said["wrong"]
    assert said["wrong"] or verdict.states <= LUCK.get(name, said["reduced"])


@pytest.mark.parametrize("name, asked", RUNS)
@pytest.mark.parametrize("stubborn", ["off", "auto"])
def test_runs_are_wrong_where_spin_says_so(name: str, asked: str, stubborn: str, tmp_path: Path) -> None:
    text = (PROTOCOLS / f"{name}.pml").read_text()
    file = tmp_path / f"{name}.pml"
    file.write_text(re.sub(rf"^ltl (?!{asked} ).*$", "", text, flags=re.MULTILINE))  # one of them at a time
    only = {"progress": ["must"], "accept": ["temporal"]}.get(asked, ["safety", "temporal"])
    spec = ModelSpec(str(file))
    of_runs = any(isinstance(each, OfRuns) for each in load(spec).executable().program.requirements)
    for fair, violated in zip((None, "weak"), SAID[name]["runs"][asked], strict=True):
        if of_runs or fair is None:  # what is asked of states has nothing to do with fairness
            verdict = asset.check(
                load(spec), only=only, stubborn=stubborn, fair=fair, symmetry="off", engine="reference"
            )
            assert verdict.violated is violated


@pytest.mark.skipif(not spin_oracle.AVAILABLE, reason="spin is not installed")
@pytest.mark.parametrize("name", CORRECT[:EXAMPLES])
def test_what_is_recorded_is_what_spin_says(name: str) -> None:
    counted = spin_oracle.count(PROTOCOLS / f"{name}.pml")
    assert [counted.states, counted.edges, counted.errors] == [SAID[name]["states"], SAID[name]["transitions"], 0]
