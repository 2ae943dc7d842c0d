"""The case study: both notations are the same protocol, its two errors are found, and mended it does what it should."""

from __future__ import annotations

import pytest
from asm_walk import walk_of
from places import MODELS

from asset.analysis.symmetry.by_names import symmetries_by_names
from asset.analysis.symmetry.summaries import Summarizer
from asset.checks import CheckOptions, check
from asset.checks.symmetries_asked import symmetries
from asset.frontends import asm
from asset.ir.program import Family
from asset.ir.requirements import Invariant
from asset.languages import ModelSpec, load
from asset.verdict import Verdict

NOTATIONS = ["flash.asm", "flash_sl.asm"]


def checked(name: str, engine: str = "reference", **parameters: int) -> Verdict:
    given = {parameter: str(value) for parameter, value in parameters.items()}
    options = CheckOptions(engine=engine, stubborn="off", symmetry="off")
    return check(load(ModelSpec(str(MODELS / "asm" / name), given)), options)


@pytest.mark.parametrize("name", NOTATIONS)
def test_two_nodes_and_one_line_are_the_same_in_both_notations(name: str) -> None:
    verdict = checked(name)
    assert verdict.holds and (verdict.states, verdict.edges) == (287, 1064)


def test_the_states_are_those_that_the_text_means() -> None:
    assert len(walk_of(MODELS / "asm" / "flash_sl.asm").space()[0]) == 287


def test_an_owner_that_is_not_noted_lets_two_nodes_write() -> None:
    verdict = checked("flash_sl.asm", mended=0)
    assert verdict.violation is not None and verdict.violation.property == "one_writer"
    assert verdict.counterexample is not None and len(verdict.counterexample) - 1 == 19


def test_a_queue_that_is_shorter_than_the_sharers_stops_the_protocol() -> None:
    verdict = checked("flash.asm", "native", nodes=3, slots=1)
    assert verdict.violation is not None and verdict.violation.property == "can_be_answered"
    assert verdict.states == 5091


def test_homes_are_exchanged_together_with_their_lines() -> None:
    program = asm.load(str(MODELS / "asm" / "flash.asm"), {"nodes": "3", "lines": "2", "slots": "1"}).program
    safety = [each for each in program.requirements if isinstance(each, Invariant)]
    exchanges = symmetries_by_names(program, [each.predicate for each in safety], [])
    assert len(exchanges) == 1 and exchanges[0].values


@pytest.mark.parametrize("name", NOTATIONS)
def test_the_rule_is_seen_to_be_too_complicated_in_one_of_its_commands(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other one is followed as terms then: that took longer than an analysis may by default."""
    program = asm.load(str(MODELS / "asm" / name), {"nodes": "3", "lines": "2", "slots": "6"}).program
    followed = []

    def command(summarizer: Summarizer, family: Family, indices: tuple[int, ...]) -> object:
        followed.append(indices)
        return follow(summarizer, family, indices)

    follow = Summarizer.command
    monkeypatch.setattr(Summarizer, "command", command)
    found = symmetries(program, program.requirements, stubborn=False)
    assert found.group is not None and found.order == 2
    assert len(followed) == 1 and set(found.described.unfollowed) == set(range(program.nr_commands))
