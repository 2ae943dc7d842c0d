"""Mistakes in types that SPIN finds only while running, or never."""

from __future__ import annotations

from pathlib import Path

import pytest

from asset.errors import ModelRejected
from asset.languages import ModelSpec, load
from asset.languages.promela_file import PromelaSubject

RENTAL = """mtype = { ask, no, wait, take, back }
chan desk = [0] of { mtype, chan };
chan none = [0] of { mtype, chan };
proctype Clerk(chan own, other) {
  do
  :: other!wait(own)
  :: other!no(own) -> break
  :: other!take(own) -> own?back(none); break
  od;
  desk!back(own)
}
active [2] proctype Customer() {
  chan mine = [0] of { mtype, chan };
  chan clerk;
  desk!ask(mine);
  do
  :: mine?wait(clerk)
  :: mine?no(clerk) -> break
  :: mine?take(clerk) -> clerk!back(none); break
  od
}
active proctype Desk() {
  chan clerks[2] = [0] of { mtype, chan };
  chan idle = [2] of { chan };
  chan customer, clerk;
  idle!clerks[0]; idle!clerks[1];
  desk?ask(customer); idle?clerk; run Clerk(clerk, customer);
  desk?ask(customer); idle?clerk; run Clerk(clerk, customer);
  desk?back(clerk); idle!clerk
}
"""
"""Channels that carry channels of their own kind, after the example of Donaldson and Gay (2005)."""


def loaded(folder: Path, text: str) -> PromelaSubject:
    file = folder / "m.pml"
    file.write_text(text)
    subject = load(ModelSpec(str(file)))
    assert isinstance(subject, PromelaSubject)
    return subject


def test_channels_that_carry_their_own_kind_are_no_mistake(tmp_path: Path) -> None:
    assert loaded(tmp_path, RENTAL).notes() == []


MIXED = """mtype = { ask, back };
chan desk = [1] of { mtype, chan };
proctype Clerk(chan own, other) { other!ask(own); own?back }
active proctype Customer() { chan mine = [1] of { mtype, chan }; desk!ask(mine); mine?ask(_) }
active proctype Desk() { chan clerk = [1] of { mtype }; chan customer; desk?ask(customer); run Clerk(clerk, customer) }
active proctype Leaver() { chan clerk = [1] of { mtype }; desk!back(clerk) }
"""


def test_channels_of_two_kinds_in_one_field_are_told_of_once(tmp_path: Path) -> None:
    (note,) = loaded(tmp_path, MIXED).notes()
    assert "m.pml:6:69: warning: field 2 of desk is a channel of { mtype, channel }, and this is a channel of" in note
    (note,) = loaded(tmp_path, MIXED.replace("{ mtype }", "{ mtype, chan }")).notes()
    assert "m.pml:3:51: warning: a message of own has 2 fields, and here is 1" in note


MUTANTS = [
    ("other!wait(own)", "other!own(wait)", "field 1 of other is an mtype, and this is a channel"),
    ("other!take(own)", "other!take", "a message of other has 2 fields, and here is 1"),
    ("idle!clerk\n", "idle!i\n", "field 1 of idle is a channel of { mtype, channel }, and this is a number"),
    ("desk!ask(mine)", "desk!ask(idea)", "a message of other has 1 field, and here are 2"),
    ("desk?back(clerk);", "i = wait + 1; desk?back(clerk);", "an mtype is used as a number"),
    ("desk?back(clerk);", "customer == 3; desk?back(clerk);", "is compared with a number"),
]


@pytest.mark.parametrize(("before", "after", "said"), MUTANTS, ids=[after for _, after, _ in MUTANTS])
def test_what_does_not_fit_is_told_with_its_place(before: str, after: str, said: str, tmp_path: Path) -> None:
    declared = "byte i; chan idea = [1] of { byte };\n" if "i" in after else ""
    text = declared + RENTAL.replace(before, after, 1)
    notes = loaded(tmp_path, text).notes()
    assert any(said in note and "^" in note for note in notes)


def test_a_run_with_too_few_arguments_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match="Clerk takes 2 arguments, and here is 1"):
        loaded(tmp_path, RENTAL.replace("run Clerk(clerk, customer)", "run Clerk(clerk)"))


def test_warnings_are_told_beside_an_error(tmp_path: Path) -> None:
    text = "chan q = [1] of { chan };\nactive [255] proctype P() { q!5 }\nactive proctype Q() { skip }\n"
    with pytest.raises(ModelRejected) as rejected:
        loaded(tmp_path, text)
    assert "more than 255 processes" in str(rejected.value)
    assert "warning: field 1 of q is a channel, and this is a number" in str(rejected.value)
