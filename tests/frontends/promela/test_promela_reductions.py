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


PICKING = """
chan box[2] = [4] of { byte, byte, byte };
active [2] proctype P() {
  byte r, x;
  do
  :: r < 2 -> box[_pid]!7, r, x; r++
  :: box[_pid]??7, eval(r), x -> x++
  :: r == 2 -> break
  od
}
"""
"""Two processes that have nothing to do with each other, and pick messages out of a channel by two fields."""


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


STATIONS = """
mtype = { ask, answer };
chan left = [0] of { mtype }; chan right = [0] of { mtype };
proctype Station(chan line) { if :: line!ask; line?answer :: line?ask; line!answer fi }
proctype Left() { run Station(left) }
proctype Right() { run Station(right) }
init { atomic { run Left(); run Right() }; left?ask; left!answer }
"""


def meetings(folder: Path, text: str) -> set[str]:
    file = folder / f"model{sum(1 for _ in folder.iterdir())}.pml"  # names show lines, which are read once
    file.write_text(text)
    families = load(ModelSpec(str(file))).executable().program.families
    return {family.name for family in families if "meets" in family.name}


def test_there_is_no_command_for_a_rendezvous_that_never_happens(tmp_path: Path) -> None:
    told = {"[line!ask meets left?ask] Station:4, init:7", "[left!answer meets line?answer] init:7, Station:4"}
    assert meetings(tmp_path, STATIONS) == told  # stations have lines of their own, and constants differ


def test_processes_that_may_have_the_same_channel_may_meet(tmp_path: Path) -> None:
    for other in ("run Station(left)", "run Station(right); run Station(right)"):
        shared = STATIONS.replace("run Station(right)", other)
        assert "[line!ask meets line?ask] Station:4, Station:4" in meetings(tmp_path, shared)
    reassigned = STATIONS.replace("{ if ::", "{ line = right; if ::")
    assert "[line!ask meets line?ask] Station:4, Station:4" in meetings(tmp_path, reassigned)


def test_a_message_that_is_cut_off_may_be_what_is_received(tmp_path: Path) -> None:
    text = "chan c = [0] of { byte };\nactive proctype P() { c!257 }\nactive proctype Q() { c?1 }\n"
    assert meetings(tmp_path, text) == {"[c!257 meets c?1] P:2, Q:3"}


def test_a_process_does_not_end_before_it_has_run_others(tmp_path: Path) -> None:
    file = tmp_path / "model.pml"
    file.write_text(
        "byte x;\nproctype A() { run C() }\nproctype B() { run C() }\nproctype C() { do :: x = 1 od }\n"
        "init { atomic { run A(); run B() } }\n"
    )
    executable = load(ModelSpec(str(file))).executable()
    at = next(variable for variable in executable.program.variables if variable.name == "C.at")
    assert at.dims == (2,)  # 3 and 4: with number 2, B would have ended before


SHIFTED = """
byte x = 5, y;
short far;
active proctype P() { far = (x > y -> x - y : y - x); x = (far & 1 -> x >> 1 : x << 2); y = x ^ 3; assert(y != 99) }
active proctype Q() { y = (x % 2 == 1 && x != 7 -> 1 : 2) }
"""


def test_conditions_say_nothing_of_values_that_a_byte_never_has(tmp_path: Path) -> None:
    file = tmp_path / "model.pml"
    file.write_text(SHIFTED)
    spec = ModelSpec(str(file))
    verdicts = [asset.check(load(spec), stubborn="auto", engine=engine) for engine in ("native", "reference")]
    assert [each.holds for each in verdicts] == [True, True]
    assert verdicts[0].states == verdicts[1].states < 32  # all of them


def test_messages_that_are_picked_out_of_a_channel_of_four_conflict_with_nothing_else(tmp_path: Path) -> None:
    alone = PICKING.replace("active [2]", "active [1]")
    assert explored(tmp_path, PICKING, "auto") <= 2 * explored(tmp_path, alone, "off")
