"""What `asset.check` can be asked is what `asset check` can be asked."""

from __future__ import annotations

import pickle
from dataclasses import fields
from pathlib import Path

import pytest

import asset
from asset import Array, Model, transition, when
from asset.checks import CheckOptions
from asset.errors import UsageError


class Lamps(Model):
    def state(self) -> None:
        self.on = Array(5, False)

    @transition(i=5)
    def light(self, i: int) -> None:
        when(not self.on[i])
        self.on[i] = True


def test_python_takes_every_option_of_the_command_line() -> None:
    assert asset.Options.__annotations__.keys() == {f.name for f in fields(CheckOptions)} - {"only", "command"}


def test_python_says_how_states_are_kept(tmp_path: Path) -> None:
    assert asset.check(Lamps(), store="tree").states == 32
    assert asset.check(Lamps(), spill=str(tmp_path)).states == 32
    assert asset.check(Lamps(), store="bitstate", expect=32).answer is asset.Answer.UNDECIDED


def test_a_limit_that_files_would_exceed_is_refused(tmp_path: Path) -> None:
    assert asset.check(Lamps(), spill=str(tmp_path), max_memory=12 << 20).states == 32
    with pytest.raises(UsageError, match="a limit of 12,582,911 bytes on memory cannot be kept"):
        asset.check(Lamps(), spill=str(tmp_path), max_memory=(12 << 20) - 1)


def test_a_verdict_comes_back_whole_from_a_pool_of_processes() -> None:
    verdict = asset.check(Lamps(), ltl="G !on[0]")
    assert verdict.counterexample and verdict.counterexample[-1].on[0]
    assert pickle.loads(pickle.dumps(verdict)) == verdict
