"""The local variables of a process: state while they are needed, with the range of what is assigned to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import Agreement
from process_texts import line, loaded, points, program_of, variables, verdict_of

from asset.frontends.python import compile_model, load


def test_locals_are_state_only_where_they_are_needed(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        kept = self.x
        passing = self.x + 1
        self.x = passing
        yield
        self.a[0] = kept
        yield
        self.a[1] = 0
"""
    program = program_of(tmp_path, members)
    assert variables(program).keys() == {"x", "flag", "a", "p.at", "p.kept"}
    last = verdict_of(tmp_path, members).states
    assert last == 4  # the variable is reset: no state differs by its old value


def test_a_local_that_is_no_longer_needed_has_one_value(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        k = choose(range(4))
        yield
        self.flag = k > 1
        yield
        self.flag = False
        yield
"""
    verdict = verdict_of(tmp_path, members)
    # the beginning, four values of k, two of the flag, then one more and the end
    assert verdict.states == 1 + 4 + 2 + 1 + 1


@pytest.mark.parametrize(
    ("assigned", "bits"),
    [
        ("k = self.x", 3),
        ("k = choose(2, 3)", 1),
        ("k = self.x > 1", 1),
        ("k = Phase.LOW", 2),
        ("k = choose(Phase)", 2),
        ("k = (self.x + 1) % 5", 3),
        ("k = self.a[self.x % 3] // 2", 2),
        ("k: Int(4, 7) = 5", 2),
        ("k: Bits(5) = 1", 5),
        ("k = min(self.x, 3)", 2),
        ("k = -1 if self.flag else 0", 1),
        ("k = len(self.a)", 0),
    ],
)
def test_the_range_of_a_local_is_found_from_what_is_assigned_to_it(tmp_path: Path, assigned: str, bits: int) -> None:
    members = (
        f"    @process\n    def p(self):\n        yield\n        {assigned}\n        yield\n        self.x = k + 0\n"
    )
    assert variables(program_of(tmp_path, members))["p.k"] == bits


def test_the_variable_of_a_for_loop_takes_the_values_of_its_range(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        for k in range(4):
            self.a[0] = k
            yield
"""
    program = program_of(tmp_path, members)
    assert variables(program)["p.k"] == 2
    assert verdict_of(tmp_path, members).states == 6


def test_a_loop_variable_keeps_its_last_value_after_the_loop(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        for k in range(3):
            yield
        self.x = k
        yield
        assert self.x == 2
"""
    assert verdict_of(tmp_path, members).holds


def test_a_loop_without_rounds_leaves_its_variable_as_it_was(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        k = 5
        yield
        for k in range(self.x):
            self.flag = True
        yield
        assert k == 5
"""
    assert verdict_of(tmp_path, members).holds


def test_nested_loops_may_have_one_variable(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        for k in range(self.x, self.x + 2):
            for k in range(self.x, self.x + 3):
                yield
            assert k == 2
            self.a[0] += 1
            yield
        assert self.a[0] == 2
"""
    assert verdict_of(tmp_path, members).holds


def test_the_bounds_of_a_range_are_fixed_when_the_loop_begins(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        self.x = 2
        for k in range(self.x):
            self.x = 7
            self.a[0] += 1
            yield
        assert self.a[0] == 2
"""
    assert verdict_of(tmp_path, members).holds


def test_a_name_for_the_subject_of_a_match_has_its_range(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        match self.x:
            case 0 | 2 as k:
                yield
                self.x = k + 2
            case _:
                return
"""
    assert variables(program_of(tmp_path, members))["p.k"] == 3


def test_names_for_what_never_changes_are_no_state(tmp_path: Path) -> None:
    members = """\
    @process(i="n")
    def p(self, i):
        right = (i + 1) % self.n
        after = right + 1
        while True:
            self.a[right] = after
            yield
            self.a[i] = right
            yield
"""
    assert variables(program_of(tmp_path, members)).keys() == {"x", "flag", "a", "p.at"}


TUPLES = """
from asset import Int, Model, Queue, process, when


class Mail(Model):
    def state(self):
        self.mail = Queue(2, (bool, Int(0, 2)))
        self.got = Int(0, 2)

    @process
    def sender(self):
        for k in range(3):
            when(not self.mail.full())
            self.mail.put((k > 1, k))
            yield

    @process
    def receiver(self):
        while True:
            when(self.mail)
            late, number = self.mail.get()
            yield
            self.got = 0 if late else number
            yield
"""


def test_the_range_of_an_item_is_that_of_the_tuple_it_is_taken_from(tmp_path: Path) -> None:
    file = tmp_path / "mail.py"
    file.write_text(TUPLES)
    program = compile_model(load(file))
    types = {variable.name: str(variable.type) for variable in program.variables}
    assert (types["receiver.late"], types["receiver.number"]) == ("bool", "0..2")
    assert Agreement(load(file)).explore(40) > 60


# --- what is known ------------------------------------------------------------------------------------------------

MACHINE = """\
    @process
    def p(self):
        phase = Phase.LOW
        while True:
            match phase:
                case Phase.LOW:
                    self.x = 1
                    phase = Phase.HIGH
                    yield
                case _:
                    self.x = 2
                    if choose(True, False):
                        phase = Phase.LOW
                    yield
"""


def test_where_a_machine_goes_on_is_a_point_and_no_variable(tmp_path: Path) -> None:
    before, behind = MACHINE.split("                        phase = Phase.LOW\n")
    either = "                        phase = Phase.LOW\n                        yield\n                    else:\n    "
    members = before + either + behind
    program = program_of(tmp_path, members)
    assert variables(program).keys() == {"x", "flag", "a", "p.at"}
    begin, high = line(members, "self.x = 1"), line(members, "self.x = 2")
    assert points(program) == [f"line {begin}", f"line {high}"]
    assert [family.size for family in program.families] == [1, 2]
    verdict = verdict_of(tmp_path, members)
    assert (verdict.states, verdict.edges) == (4, 6)


def test_what_two_paths_say_otherwise_is_not_known(tmp_path: Path) -> None:
    program = program_of(tmp_path, MACHINE)
    assert "p.phase" in variables(program)
    verdict = verdict_of(tmp_path, MACHINE)
    assert (verdict.states, verdict.edges) == (4, 6)


def test_what_a_loop_of_a_step_assigns_is_not_known(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        phase = 1
        while True:
            for k in range(3):
                if self.a[k] == 2:
                    phase = 2
            match phase:
                case 1:
                    self.x = 5
                case 2:
                    self.x = 6
            phase = 1
            yield
"""
    assert verdict_of(tmp_path, members).states == 2
    model = loaded(tmp_path, members)
    assert model.p() and model.x == 6  # type: ignore[attr-defined]


def test_a_match_with_a_guard_is_not_decided_beforehand(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        phase = 1
        while True:
            match phase:
                case 1 if self.flag:
                    self.x = 5
                    yield
                case _:
                    self.flag = True
                    yield
"""
    assert verdict_of(tmp_path, members).states == 3


def test_a_member_of_an_enumeration_and_its_number_are_one_value(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        phase = 3
        while True:
            match phase:
                case Phase.LOW:
                    self.x = 1
                    phase = 4
                    yield
                case _:
                    self.x = 4
                    phase = 3
                    yield
"""
    assert "p.phase" not in variables(program_of(tmp_path, members))
    assert verdict_of(tmp_path, members).states == 3
