"""`asset lint` says where a step touches too much at once, does nothing that is seen, or is never come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import MODELS

from asset.cli.main import main
from asset.cli.tools.lint import notes
from asset.languages import ModelSpec, load

HEAD = """\
from asset import Array, Int, Model, choose, invariant, process, transition, when

class M(Model):
    n: int = 2

    def state(self):
        self.turn = Int(0, 1)
        self.wants = Array(self.n, False)
        self.mine = Array(self.n, Int(0, 3))
        self.free = True

"""


def said(folder: Path, members: str) -> list[str]:
    file = folder / "m.py"
    file.write_text(HEAD + members)
    return [note.message for note in notes(load(ModelSpec(str(file))))]


def process(*body: str) -> str:
    return '    @process(i="n")\n    def p(self, i):\n' + "".join(f"        {line}\n" for line in body)


def test_a_step_that_reads_one_shared_variable_and_writes_another_is_named(tmp_path: Path) -> None:
    members = process("while True:", "    when(self.free)", "    self.turn = i", "    self.free = False", "    yield")
    assert said(tmp_path, members) == ["the step p@15 touches turn here, and before that free"]


def test_to_show_a_flag_and_look_at_that_of_another_is_too_much_for_one_step(tmp_path: Path) -> None:
    members = process("self.wants[i] = True", "when(not self.wants[1 - i])", "yield", "self.wants[i] = False")
    assert said(tmp_path, members) == ["the step p@14 touches wants here, and before that its own wants"]


def test_one_shared_variable_for_each_step_is_fine(tmp_path: Path) -> None:
    members = process("self.wants[i] = True", "yield", "when(not self.wants[1 - i])", "yield", "self.wants[i] = False")
    assert said(tmp_path, members) == []


def test_what_only_the_process_itself_touches_is_not_shared(tmp_path: Path) -> None:
    members = process("self.mine[i] = 1", "self.turn = self.mine[i] - 1", "yield", "self.turn = 0")
    assert said(tmp_path, members) == []


def test_alternatives_of_a_step_are_not_added_up(tmp_path: Path) -> None:
    members = process("if choose(True, False):", "    self.turn = 0", "else:", "    self.free = False", "yield")
    assert said(tmp_path, members)[1:] == []
    assert "touches" not in "".join(said(tmp_path, members))


def test_what_a_helper_touches_is_touched(tmp_path: Path) -> None:
    members = process("self.take()", "yield", "self.free = True")
    members += "    def take(self):\n        self.free = False\n        self.turn = 1\n"
    assert said(tmp_path, members) == ["the step p@14 touches turn here, and before that free"]


def test_what_a_transition_writes_is_shared(tmp_path: Path) -> None:
    members = (
        "    @process\n    def p(self):\n        when(self.free)\n        self.mine[0] = self.turn\n        yield\n"
    )
    alone = said(tmp_path, members)
    assert not any("touches" in note for note in alone)
    members += "    @transition\n    def t(self):\n        self.free, self.turn = False, 1\n"
    assert said(tmp_path, members)[0] == "the step p@14 touches turn here, and before that free"


def test_a_step_that_nobody_can_see_is_named(tmp_path: Path) -> None:
    members = process("self.turn = i", "yield", "self.mine[i] = 1", "yield", "self.turn = 0", "yield", "self.turn = i")
    assert said(tmp_path, members) == ["the step p@16 does nothing that anybody else could see"]


def test_a_step_to_a_label_is_seen(tmp_path: Path) -> None:
    members = process("self.turn = i", "yield", "self.mine[i] = 1", 'yield "there"', "self.turn = 0")
    assert said(tmp_path, members) == []


def test_a_yield_that_is_never_reached_is_named(tmp_path: Path) -> None:
    members = process("while True:", "    self.turn = i", "    yield", "yield")
    assert said(tmp_path, members) == ["this yield is never reached"]


def test_peterson_as_processes_touches_one_shared_variable_in_each_step() -> None:
    assert notes(load(ModelSpec(f"{MODELS / 'peterson_processes.py'}:PetersonLocals"))) == []


def test_the_command_prints_notes_with_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.py"
    file.write_text(HEAD + process("self.turn = i", "self.free = False", "yield", "self.free = True"))
    assert main(["lint", str(file)]) == 1
    out = capsys.readouterr().out
    assert f"{file}:15:9: note: the step p@14 touches free here, and before that turn" in out
    assert "^" in out
    file.write_text(HEAD + process("self.turn = i", "yield", "self.free = True"))
    assert main(["lint", str(file)]) == 0
    assert capsys.readouterr().out == ""


def test_what_is_said_of_several_steps_is_said_once(tmp_path: Path) -> None:
    members = process(
        "for k in range(2):", "    when(self.free)", "    self.turn = k", "    self.free = False", "    yield"
    )
    (note,) = said(tmp_path, members)
    assert note.startswith("each of the steps p@14.1, p@14.2 touches")
