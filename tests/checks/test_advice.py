"""Which store is advised for which size and memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from asset.checks import CheckOptions, check
from asset.checks.advice import FEW, for_size, within
from asset.engine.omissions import SUPERTRACE, bitstate_omissions
from asset.languages import ModelSpec, load
from asset.sweep.growth import Forecast
from asset.sweep.sweeping import Budget
from asset.verdict import Answer

MODELS = Path(__file__).parents[2] / "models"


def test_a_rough_estimate_is_for_bitstate_hashing() -> None:
    assert for_size(3e8, (1024 << 20) * 4 // 3).startswith(
        "--store bitstate --expect 300000000 omits about 21 of 300,000,000"
    )


def test_compaction_is_advised_only_if_there_are_ten_bits_for_each_state() -> None:
    assert "compact" in for_size(1e8, 1 << 28)
    assert "compact" not in for_size(3e8, 1 << 28)


def test_what_no_table_holds_is_for_random_runs() -> None:
    assert "asset simulate" in for_size(1e15, 1 << 30)


@pytest.mark.parametrize("memory", [1 << 24, 1 << 30, 1 << 36])
def test_what_is_within_reach_omits_few(memory: int) -> None:
    states = within(memory)
    bits = 8 * (memory * 3 // 4)
    assert bitstate_omissions(states, bits, SUPERTRACE) / states == pytest.approx(FEW, rel=0.05)


def advice_after(options: CheckOptions) -> str:
    model = load(ModelSpec(str(MODELS / "token_ring.py"), {"n": "8"}))
    verdict = check(model, replace(options, max_memory=4 << 20, stubborn="off", symmetry="off"))
    assert verdict.answer is Answer.UNDECIDED
    return next(each.message for each in verdict.caveats if each.code == "other-stores")


def test_a_check_that_ran_out_of_memory_says_what_else_there_is_and_what_is_exact_first() -> None:
    advice = advice_after(CheckOptions())
    assert advice.startswith("--spill DIR goes on with files")
    assert "--store bitstate goes through up to" in advice


def test_files_are_not_advised_to_a_search_that_cannot_go_on_with_them(tmp_path: Path) -> None:
    assert "--spill" not in advice_after(CheckOptions(checkpoint=str(tmp_path / "kept")))


def test_a_sweep_advises_only_where_memory_ends() -> None:
    budget = Budget(1 << 30, None, lambda states, memory: f"{states:g} in {memory}")
    assert budget.advice(Forecast(9, 1e9, 1 << 29, 1.0)) == ""
    assert budget.advice(Forecast(9, 1e9, 1 << 31, 1.0)) == "1e+09 in 1073741824"
