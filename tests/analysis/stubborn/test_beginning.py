"""How runs begin, if that is unlike what follows; and commands that begin where no process comes to."""

from __future__ import annotations

from pathlib import Path

import asset
from asset.analysis.stubborn.beginning import find_beginning
from asset.analysis.stubborn.derivation import Derivation, derive
from asset.analysis.stubborn.entering import entries
from asset.ir.program import Program
from asset.languages import ModelSpec, load

CHOOSING = """
byte number[3], k;
proctype Worker(byte own) { byte work = own; do :: work < 3 -> work++ :: else -> break od }
init {
  atomic {
    k = 1;
    do
    :: k <= 3 ->
      if
      :: number[0] == 0 -> number[0] = k
      :: number[1] == 0 -> number[1] = k
      :: number[2] == 0 -> number[2] = k
      fi;
      k++
    :: k > 3 -> break
    od;
    run Worker(number[0]); run Worker(number[1]); run Worker(number[2])
  }
}
"""
"""Six ways to begin, told apart by what is found in an array."""

NEVER_WAITING = """
byte x, y, z;
active proctype Chooser() {
  do
  :: atomic {
       z = 0; x = 1;
       if :: x == 1 -> y = 1 :: x == 1 -> y = 2 fi;
       if :: x == 1 -> y = 3 :: x == 1 -> y = 4 fi;
       if :: x == 1 -> y = 5 :: x == 1 -> y = 6 fi
     }
  od
}
active proctype Other() { do :: z = 1 od }
"""
"""The process never waits inside its atomic sequence, as x is 1 there."""

AGAIN = """
byte x;
init { do :: x < 2 -> x++ :: else -> x = 0 od }
"""
"""The first place is come to again."""


def program_of(folder: Path, text: str) -> Program:
    file = folder / "model.pml"
    file.write_text(text)
    return load(ModelSpec(str(file))).executable().program


def derived(program: Program) -> Derivation:
    return derive(program, [])


def test_what_is_fired_first_is_found_by_firing_it(tmp_path: Path) -> None:
    program = program_of(tmp_path, CHOOSING)
    found = find_beginning(program, program.initial_states, entries(program), [])
    assert found is not None
    assert len(found.first) == len(found.after) == 6


def test_a_place_that_is_come_to_again_is_no_beginning(tmp_path: Path) -> None:
    program = program_of(tmp_path, AGAIN)
    assert find_beginning(program, program.initial_states, entries(program), []) is None


def test_commands_that_begin_where_no_process_comes_to_are_not_followed(tmp_path: Path) -> None:
    program = program_of(tmp_path, NEVER_WAITING)
    live = derived(program).flow.live
    assert not any(each.path.opaque for each in live)
    assert len({each.path.node for each in live}) == 9 < 20 < program.nr_commands


def test_a_choice_of_many_ways_at_the_beginning_does_not_keep_sets_from_being_small(tmp_path: Path) -> None:
    file = tmp_path / "model.pml"
    file.write_text(CHOOSING)
    states = {}
    for stubborn in ("off", "auto"):
        verdict = asset.check(load(ModelSpec(str(file))), only=["deadlock"], stubborn=stubborn)
        assert verdict.holds
        states[stubborn] = verdict.states
    assert states["auto"] < states["off"] // 4
