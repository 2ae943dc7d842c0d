"""What formulas say of the next value of records and collections: CPython, the reference engine and native agree."""

from __future__ import annotations

import runpy
from collections.abc import Iterable
from pathlib import Path

import pytest

from asset import check

OFFICE = """\
from enum import IntEnum

from asset import *


class Colour(IntEnum):
    RED = 0
    BLUE = 1


class Letter(Record):
    to: int = Int(0, 2)
    colour: Colour = Colour.RED


class Office(Model):
    def state(self):
        self.queue = Queue(2, Letter)
        self.votes = Set(3)
        self.row = Array(3, Int(0, 2))
        self.table = Array(2, Letter)
        self.owner = Map(2, Int(0, 2))
        self.last = Optional(Letter)
        self.top = Letter
        self.turn = Int(0, 1)

    @transition
    def put(self):
        when(len(self.queue) < 2)
        self.queue.append(Letter(to=len(self.queue), colour=Colour.BLUE))

    @transition
    def vote(self):
        when(0 not in self.votes or 2 not in self.votes)
        self.votes.add(2 if 0 in self.votes else 0)

    @transition
    def write(self):
        when(self.row[1] < 1)
        self.row[1] += 1

    @transition
    def paint(self):
        when(self.table[1].colour == Colour.RED)
        self.table[1].colour = Colour.BLUE

    @transition
    def own(self):
        when(1 not in self.owner)
        self.owner[1] = 2

    @transition
    def keep(self):
        when(self.last is None)
        self.last = self.top

    @transition
    def turn_over(self):
        self.turn = 1 - self.turn
"""
"""Each transition changes one part, or none."""

PARTS = {
    "queue": ("put",),
    "votes": ("vote",),
    "row": ("write",),
    "table": ("paint",),
    "table[1]": ("paint",),
    "table[self.turn]": ("paint", "turn_over"),
    "owner": ("own",),
    "last": ("keep",),
    "top": (),
    "turn": ("turn_over",),
}
"""What changes a part, if anything does."""

TRUE = {
    "a queue only grows": "len(after(self.queue)) >= len(self.queue)",
    "what is in a queue stays there": "all(each in after(self.queue) for each in self.queue)",
    "votes are not taken back": "self.votes <= after(self.votes)",
    "a vote is there or is the next": "implies(0 not in self.votes and changes(self.votes), 0 in after(self.votes))",
    "the same is said by ==": "(after(self.queue) == self.queue) == (not changes(self.queue))",
    "of an array": "after(self.row) == self.row or after(self.row)[1] == self.row[1] + 1",
    "of all elements": "all(a >= b for a, b in zip(after(self.row), self.row))",
    "of a part": "after(self.table)[1] == self.table[1] or after(self.table)[1].colour == Colour.BLUE",
    "of a map": "implies(changes(self.owner), 1 in after(self.owner) and 1 not in self.owner)",
    "of an optional": "implies(changes(self.last), after(self.last) == self.top)",
    "of what is not there": "implies(self.last is not None, after(self.last) is not None)",
    "as far as it is needed": "len(self.queue) < 2 or after(self.queue)[0] == self.queue[0]",
    "of several": "after((self.turn, self.row[1])) >= (0, self.row[1])",
}
FALSE = {
    "a queue changes": "not changes(self.queue)",
    "votes": "after(self.votes) == self.votes",
    "an array": "after(self.row) == self.row",
    "a record in an array": "after(self.table)[1] == self.table[1]",
    "a map": "after(self.owner) == self.owner",
    "an optional": "after(self.last) == self.last",
}


def written(folder: Path, formulas: Iterable[str]) -> Path:
    """A model with these formulas, each of which is said of every step."""
    methods = [
        f"    @temporal\n    def formula_{k}(self):\n        return always({text})\n" for k, text in enumerate(formulas)
    ]
    file = folder / "asking.py"
    file.write_text("\n".join([OFFICE, *methods]), encoding="utf-8")
    return file


def answers(file: Path) -> list[dict[str, str]]:
    """Of both engines. A run that violates a formula does so when it is judged as plain Python."""
    found = []
    for engine in ("native", "reference"):
        model = runpy.run_path(str(file))["Office"]()
        verdict = check(model, only=["temporal"], engine=engine)
        found.append({each.name: each.answer.value for each in verdict.checked})
        if verdict.counterexample and verdict.violation:
            assert not getattr(model, verdict.violation.property)().holds_on(verdict.counterexample)
    return found


def test_what_a_part_is_next_is_compared_with_what_it_is(tmp_path: Path) -> None:
    native, reference = answers(written(tmp_path, TRUE.values()))
    assert native == reference
    assert set(native.values()) == {"holds"}, dict(zip(TRUE, native.values(), strict=True))


def test_a_part_changes_in_the_steps_that_change_it(tmp_path: Path) -> None:
    only = [
        f"implies(changes(self.{part}), {' or '.join(f'taken(self.{each})' for each in by) or 'False'})"
        for part, by in PARTS.items()
    ]
    native, reference = answers(written(tmp_path, only))
    assert native == reference
    assert set(native.values()) == {"holds"}, dict(zip(PARTS, native.values(), strict=True))


@pytest.mark.parametrize("wish", FALSE)
def test_a_step_that_changes_a_part_is_found(tmp_path: Path, wish: str) -> None:
    assert answers(written(tmp_path, [FALSE[wish]])) == 2 * [{"formula_0": "violated"}]
