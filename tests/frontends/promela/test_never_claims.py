"""Never claims and labels that mean acceptance: the answers are those of SPIN's `pan -a`, with `-f` under fairness."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.languages import ModelSpec, load
from asset.verdict import Answer, Verdict

COUNTER = "byte x;\nactive proctype p() { do :: x = (x + 1) % 3 od }\nactive proctype q() { x = 0 }\n"


def checked(folder: Path, text: str, fair: str | None = None, **macros: str) -> Verdict:
    file = folder / "m.pml"
    file.write_text(text)
    return asset.check(load(ModelSpec(str(file), macros)), fair=fair)


CLAIMS = [
    ("never { do :: true :: x == 2 -> break od }", Answer.VIOLATED),
    ("never { do :: true :: x == 3 -> break od }", Answer.HOLDS),
    ("never { do :: true :: x == 1 -> break od; accept: do :: true od }", Answer.VIOLATED),
    ("never { do :: true :: x == 1 -> break od; accept: do :: x == 1 od }", Answer.HOLDS),
    ("never { T0: if :: atomic { x == 2 -> assert(!(x == 2)) } :: true -> goto T0 fi }", Answer.VIOLATED),
    ("never { byte n; do :: n < 2 -> n++ :: n == 2 && x == 0 -> break od }", Answer.VIOLATED),
]


@pytest.mark.parametrize(("claim", "answer"), CLAIMS)
def test_a_claim_is_violated_if_it_can_end_or_accept_for_ever(claim: str, answer: Answer, tmp_path: Path) -> None:
    assert checked(tmp_path, COUNTER + claim).answer is answer


def test_a_model_that_ends_repeats_its_last_state_for_the_claim(tmp_path: Path) -> None:
    text = "byte x;\nactive proctype p() { x = 1 }\nnever { do :: true :: x == 1 -> break od; accept: do :: x == 1 od }"
    verdict = checked(tmp_path, text)
    assert verdict.answer is Answer.VIOLATED
    assert "nothing can go on" in str(verdict)


def test_with_a_claim_deadlocks_are_not_checked_and_the_verdict_says_so(tmp_path: Path) -> None:
    text = "byte x;\nactive proctype p() { x == 1 }\nnever { do :: x > 1 -> break :: else od }"
    verdict = checked(tmp_path, text)
    assert verdict.answer is Answer.HOLDS
    assert "never-claim" in {caveat.code for caveat in verdict.caveats}
    assert checked(tmp_path, text, _claim="off").answer is Answer.VIOLATED


def test_formulas_beside_a_claim_leave_the_whole_undecided(tmp_path: Path) -> None:
    verdict = checked(tmp_path, COUNTER + "never { x > 5 }\nltl small { [] (x < 3) }")
    assert verdict.answer is Answer.UNDECIDED
    assert checked(tmp_path, COUNTER + "never { x > 5 }\nltl small { [] (x < 3) }", _claim="off").holds


def test_a_label_that_accepts_is_no_place_to_stop_at(tmp_path: Path) -> None:
    text = "byte x;\nactive proctype p() { x = 1; accept_here: end: x == 2 }"
    assert checked(tmp_path, text).answer is Answer.VIOLATED


def test_progress_is_asked_of_fair_runs_only_if_fairness_is_assumed(tmp_path: Path) -> None:
    text = "byte x;\nactive proctype p() { do :: x = 1 - x od }\nactive proctype q() { do :: skip; progress: skip od }"
    assert checked(tmp_path, text).answer is Answer.VIOLATED
    assert checked(tmp_path, text, fair="weak").answer is Answer.HOLDS


def test_cycles_without_progress_are_found_by_a_claim_that_says_np(tmp_path: Path) -> None:
    claim = "never { do :: true :: np_ -> break od; accept: do :: np_ od }"
    body = "byte x;\nactive proctype p() {{ do :: x = 1 - x; {label} skip od }}\n"
    assert checked(tmp_path, body.format(label="") + claim).answer is Answer.VIOLATED
    assert checked(tmp_path, body.format(label="progress:") + claim).answer is Answer.HOLDS


def test_a_run_that_ends_is_fair(tmp_path: Path) -> None:
    text = "byte x;\nactive proctype p() { x = 1 }\nltl stays { <> [] (x == 2) }"
    assert checked(tmp_path, text, fair="weak").answer is Answer.VIOLATED
