"""Stubborn sets of models in Promela: what is known of their variables and atomic sequences makes them small."""

from __future__ import annotations

from pathlib import Path

import asset
from asset.languages import ModelSpec, load

PAIRS = """
chan c[2] = [1] of { short };
active [2] proctype Sender() { c[_pid]!0; c[_pid]!1; c[_pid]!2 }
active [2] proctype Receiver() {
  short kind, seen;
  do
  :: atomic {
       c[_pid - 2]?kind;
       if
       :: kind == 0 -> seen = 1
       :: kind == 1 || kind == 2 -> seen = kind
       :: !(kind == 0 || kind == 1 || kind == 2) -> assert(false)
       fi
     };
     if :: seen == 2 -> break :: seen != 2 fi
  od
}
"""
"""Two pairs of processes that have nothing to do with each other."""

WAITING = """
byte x;
active proctype P() { byte k; atomic { k = 1; k = 2; x > 0; k = 3; k = 4 } }
active proctype Q() { x = 1 }
"""


def explored(folder: Path, text: str, stubborn: str) -> int:
    file = folder / "model.pml"
    file.write_text(text)
    return asset.check(load(ModelSpec(str(file))), only=["deadlock"], stubborn=stubborn, engine="reference").states


def test_the_few_values_that_wide_variables_reach_are_told_apart(tmp_path: Path) -> None:
    alone = PAIRS.replace("[2]", "[1]").replace("_pid - 2", "_pid - 1")
    assert explored(tmp_path, PAIRS, "off") > 10 * explored(tmp_path, alone, "off")
    assert explored(tmp_path, PAIRS, "auto") <= 2 * explored(tmp_path, alone, "off")


def test_no_command_begins_inside_an_atomic_sequence_where_no_process_waits(tmp_path: Path) -> None:
    file = tmp_path / "model.pml"
    file.write_text(WAITING)
    names = [family.name for family in load(ModelSpec(str(file))).executable().program.families]
    assert names == ["[k = 1 …] P:3", "[x > 0 …] P:3", "[-end-] P:3", "[x = 1] Q:4", "[-end-] Q:4"]
