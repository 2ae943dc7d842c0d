"""The smaller commands: new, examples, watch, completion, and the help that leads to them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from expectations import expectations_of
from places import ROOT

from asset.cli.main import main
from asset.cli.tools import TOOLS, watch
from asset.cli.tools.completion import SHELLS, bash, shell_commands
from asset.cli.tools.examples import ORDER, shipped
from asset.languages import ModelSpec
from asset.report.document import Line, plain
from asset.sweep.swept import sizes

LOCK_HERE = (
    "        # The mistake: between this step and the next one, another process may look as well. Lock here instead.\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- help -------------------------------------------------------------------------------------------------------


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    for name, what in TOOLS.items():
        assert name in told and what.split(",")[0] in told


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert f"asset {name}" in told and len(told) > 300
    assert max(map(len, told.splitlines())) <= 100


def test_a_command_loads_no_tool_that_it_does_not_need() -> None:
    code = "import sys; from asset.cli.arguments import parse; parse(['check', 'x.py'])\n"
    code += "print([m for m in sys.modules if m.startswith(('asset.cli.tools.', 'asset.space', 'asset.sweep'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- new --------------------------------------------------------------------------------------------------------


def test_a_new_model_has_a_mistake_that_its_comment_mends(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "my_room.py"]) == 0
    assert "asset check my_room.py" in capsys.readouterr().out
    assert main(["check", "my_room.py", "--quiet"]) == 1
    assert "MyRoom(n=2): violated — at_most_one_inside is false after 4 steps" in capsys.readouterr().out
    text = (folder / "my_room.py").read_text()
    assert LOCK_HERE in text
    (folder / "my_room.py").write_text(text.replace(LOCK_HERE, "        self.locked = True\n"))
    assert main(["check", "my_room.py", "-p", "n=3", "--quiet"]) == 0


def test_new_overwrites_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "room.py").write_text("mine")
    assert main(["new", "room.py"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert (folder / "room.py").read_text() == "mine"


@pytest.mark.parametrize("name", ["room", "my-room.py", "class.py", "1st.py", "room.txt"])
def test_new_needs_a_name_for_a_python_file(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", name]) == 2
    assert "not a name for a Python file" in capsys.readouterr().err


# --- examples ---------------------------------------------------------------------------------------------------


def test_the_shipped_examples_are_those_of_the_project() -> None:
    here = {file.name: file.read_bytes() for file in (ROOT / "models").glob("*.py")}
    assert {file.name: file.read_bytes() for file in shipped().values()} == here


def test_examples_are_listed_with_what_they_teach(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in shipped())
    assert "Teaches finding a deadlock." in told


def test_a_copied_example_can_be_checked_even_where_it_is_made_from_another(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["examples", "token_ring_variants", "--to", "mine"]) == 0
    assert sorted(file.name for file in (folder / "mine").iterdir()) == ["token_ring.py", "token_ring_variants.py"]
    name = expectations_of(folder / "mine" / "token_ring_variants.py")[0].class_name
    main(["check", f"mine/token_ring_variants.py:{name}", "-p", "n=2", "--quiet"])
    assert f"{name}(n=2" in capsys.readouterr().out
    assert main(["examples", "token_ring", "--to", "mine"]) == 2
    assert "exists already" in capsys.readouterr().err


def test_examples_are_listed_from_easy_to_hard_without_marks_of_python(capsys: pytest.CaptureFixture[str]) -> None:
    assert {*ORDER} <= {*shipped()}
    main(["examples"])
    listed = capsys.readouterr().out
    assert '"""' not in listed
    assert [name for name in re.findall(r"^  (\w+) ", listed, re.MULTILINE) if name in ORDER] == list(ORDER)


def test_all_examples_can_be_copied(folder: Path) -> None:
    assert main(["examples", "--all", "--to", "all"]) == 0
    assert len(list((folder / "all").glob("*.py"))) == len(shipped())


def test_an_unknown_example_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", "nonesuch"]) == 2
    assert "there are: alternating_bit, " in capsys.readouterr().err


# --- watch ------------------------------------------------------------------------------------------------------

COUNTER = """
from asset import Int, Model, invariant, terminal, transition, when

class Counter(Model):
    n: int = 3

    def state(self):
        self.value = Int(0, 100)

    @transition
    def increment(self):
        when(self.value < LIMIT)
        self.value += 1

    @invariant
    def small(self):
        return self.value <= self.n

    @terminal
    def may_end(self):
        return True
"""


class Watching(threading.Thread):
    """A watch whose lines are kept, in a thread; it ends by an exception once `enough` lines were told."""

    class Enough(Exception):
        pass

    def __init__(self, file: Path, parameters: dict[str, str], enough: int) -> None:
        super().__init__(daemon=True)
        self.said: list[str] = []
        self.enough = enough
        checks = [watch.WatchedCheck(ModelSpec(str(file), each), ()) for each in sizes(parameters)]
        self.watch = watch.Watcher(file, checks, self.tell)

    def tell(self, lines: Iterable[Line]) -> None:
        self.said.append(plain(lines))
        if len(self.said) >= self.enough:
            raise self.Enough

    def run(self) -> None:
        with suppress(self.Enough):
            self.watch.run()

    def until(self, lines: int) -> None:
        deadline = time.monotonic() + 60
        while len(self.said) < lines and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(self.said) >= lines, self.said


def test_a_watch_checks_small_sizes_first_and_again_at_each_save(tmp_path: Path) -> None:
    file = tmp_path / "counter.py"
    file.write_text("LIMIT = 4\n" + COUNTER)
    watching = Watching(file, {"n": "7,5..6"}, enough=8)
    watching.start()
    watching.until(4)
    file.write_text("LIMIT = 5\n" + COUNTER)
    watching.join(60)
    assert [line.partition(",")[0] for line in watching.said if "counter.py" not in line] == [
        *(f"✓ Counter(n={n}): holds — 5 states" for n in (5, 6, 7)),
        *(f"✓ Counter(n={n}): holds — 6 states" for n in (5, 6, 7)),
    ]


def test_a_size_that_does_not_hold_is_the_last(tmp_path: Path) -> None:
    file = tmp_path / "counter.py"
    file.write_text("LIMIT = 4\n" + COUNTER)
    watching = Watching(file, {"n": "2..5"}, enough=100)
    watching.watch.check_all(watching.watch.snapshot())
    said, report = watching.said
    assert said.startswith("✗ Counter(n=2): violated — small is false after 3 steps")
    assert "Counterexample: 3 steps" in report


def test_a_model_at_fault_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "counter.py"
    file.write_text("LIMIT = (\n" + COUNTER)
    watching = Watching(file, {}, enough=100)
    watching.watch.check_all(watching.watch.snapshot())
    assert "counter.py:1:9: error: SyntaxError" in watching.said[0]


def test_a_save_ends_the_check_that_is_running(tmp_path: Path) -> None:
    file = tmp_path / "counter.py"
    file.write_text("import time; time.sleep(60)")
    watching = Watching(file, {}, enough=100)
    seen = watching.watch.snapshot()
    threading.Timer(0.5, lambda: file.write_text("LIMIT = 4\n" + COUNTER)).start()
    began = time.monotonic()
    watching.watch.check_all(seen)
    assert watching.said == [] and time.monotonic() - began < 30


def test_a_watch_of_nothing_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "nowhere.py"]) == 2
    assert "there is no file nowhere.py" in capsys.readouterr().err


# --- completion -------------------------------------------------------------------------------------------------


def completed_by_bash(*words: str) -> list[str]:
    script = bash(list(shell_commands())) + f"\nCOMP_WORDS=({' '.join(words[:-1])} '{words[-1]}')\n"
    script += f"COMP_CWORD={len(words) - 1}\n_asset\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        (["asset", "s"], ["step", "simulate", "sweep"]),
        (["asset", "check", "--stu"], ["--stubborn"]),
        (["asset", "check", "x.py", "--stubborn", ""], ["off", "hand", "auto"]),
        (["asset", "completion", ""], ["bash", "zsh", "fish"]),
        (["asset", "graph", "models/token_r"], ["models/token_ring.py", "models/token_ring_variants.py"]),
        (["asset", "graph", "models/asset/wi"], ["models/asset/widths.model"]),
        (["asset", "sweep", "--res"], ["--resume"]),
    ],
)
def test_bash_completes_commands_options_values_and_models(words: list[str], completions: list[str]) -> None:
    assert completed_by_bash(*words) == completions


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_that_the_shell_can_read(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish here")
def test_fish_completes_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", "fish"])
    (tmp_path / "asset.fish").write_text(capsys.readouterr().out)
    words = f"source {tmp_path}/asset.fish; complete -C 'asset check --stub'"
    done = subprocess.run(["fish", "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("--stubborn")
