"""Whatever somebody mistypes, there is an answer, or an error with its place; no traceback, no hang, no lack of memory.

The long run (CONTRIBUTING.md) is `ASSET_EXAMPLES=100000 python -m pytest tests/whole/test_mutated_models.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import mutated_models
import pytest

COUNT = int(os.environ.get("ASSET_EXAMPLES", "1000"))
BATCH = 500
"""Mutants of one process: modules that were loaded stay in its memory."""


@pytest.mark.parametrize("first", range(0, COUNT, BATCH))
def test_a_mistyped_model_is_answered_or_rejected_with_a_place(first: int, tmp_path: Path) -> None:
    words = [mutated_models.__file__, str(tmp_path), str(first), str(min(BATCH, COUNT - first))]
    environment = {**os.environ, "ASSET_CACHE_DIR": str(tmp_path / "cache"), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, env=environment)
    failures = [json.loads(line) for line in done.stdout.splitlines()]
    assert not failures, "\n".join(f"{tmp_path}/mutant{each['mutant']}.py: {each}" for each in failures)
    ended_by = (tmp_path / "begun").read_text()
    assert done.returncode == 0, f"mutant {ended_by} ended the process: {done.returncode}\n{done.stderr[-2000:]}"


def test_mutants_are_the_same_each_time_and_nearly_all_differ() -> None:
    texts = [mutated_models.mutant(number) for number in range(20)]
    assert texts == [mutated_models.mutant(number) for number in range(20)]
    assert len(set(texts)) >= 18  # a mistake may make no difference


@pytest.mark.parametrize(
    ("status", "said", "wrong"),
    [
        (0, "", None),
        (2, "m.py:3:1: error: what is this?", None),
        (2, "error: what is this?", "an error without a place"),
        (2, "m.py:1:1: error: asset: internal error", "a mistake of ours"),
        (1, "Traceback (most recent call last):", "a mistake of ours"),
        (120, "", "exit status 120"),
    ],
)
def test_what_is_wrong_is_noticed(status: int, said: str, wrong: str | None) -> None:
    assert mutated_models.wrong_with(status, said) == wrong
