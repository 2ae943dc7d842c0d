"""The documentation is run: its models are checked by its commands, and the output is the one that it shows.

A `python` block that begins with a comment like `# ring.py` is that file; one that does not is run. A `cpp` block
begins with `// ring.model`, and is that file; so do a `promela` block with `// ring.pml` and an `asm` block. In a
`console` block, a line that begins with `$ asset` is a command, and what follows is its output; a line `…` stands for
lines that are left out. Of a session with `asset step`, the lines that begin with `>` are what the user says. Times and
amounts of memory may differ. The folder `models` is at hand.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import ROOT

from asset.cli.main import main

DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\w+\.py)\n")
MODEL_FILE = re.compile(r"// (\w+\.(?:model|pml|asm))\n")
FIGURES = re.compile(
    r"(?:\d+ min )?\d[\d.,]* (?:s\b|bytes|[KMGT]iB)"  # times and amounts of memory
    r"|\d[\d.,]*(?: [kMG])? edges/s"
    r"|(?<=compile |explore )\d[\d.]*"
    r"|(?<=check )\d[\d.]*"
    r"|\s+\d+%"  # shares of time
)


def blocks(text: str, language: str) -> list[str]:
    return [body for kind, body in BLOCK.findall(text) if kind == language]


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block, with the output that it is to have."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def answer(command: str, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command prints, on both streams."""
    said = "".join(f"{line[2:]}\n" for line in shown.splitlines() if line.startswith(">"))
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    program, *words = shlex.split(command)
    assert program == "asset", command
    main(words)
    captured = capsys.readouterr()
    return captured.out + captured.err


def comparable(text: str) -> list[str]:
    return [FIGURES.sub("N", line).rstrip() for line in text.strip("\n").splitlines()]


def is_shown(actual: list[str], shown: list[str]) -> bool:
    """Whether the lines are those shown, where each `…` stands for any number of them."""
    if not shown:
        return not actual
    if shown[0].strip() == "…":
        return any(is_shown(actual[skipped:], shown[1:]) for skipped in range(len(actual) + 1))
    return bool(actual) and actual[0] == shown[0] and is_shown(actual[1:], shown[1:])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the files of a page are; what they import from each other is forgotten afterwards."""
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_the_output_in_the_documentation_is_what_the_tool_prints(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = path.read_text(encoding="utf-8")
    for block in [each for language in ("cpp", "promela", "asm") for each in blocks(text, language)]:
        named = MODEL_FILE.match(block)
        assert named is not None, block
        (folder / named[1]).write_text(block, encoding="utf-8")
    for block in blocks(text, "python"):
        if named := FILE.match(block):
            (folder / named[1]).write_text(block, encoding="utf-8")
        else:
            exec(compile(block, str(path), "exec"), {})
    for block in blocks(text, "console"):
        for command, shown in commands(block):
            actual = answer(command, shown, monkeypatch, capsys)
            assert is_shown(comparable(actual), comparable(shown)), f"$ {command}\n{actual}"


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_page_has_something_to_run(path: Path) -> None:
    assert any(list(commands(block)) for block in blocks(path.read_text(encoding="utf-8"), "console"))


def test_ci_runs_the_test_command_of_the_readme() -> None:
    find = next(line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line.startswith("command="))
    found = subprocess.run(
        ["bash", "-c", f"{find}; echo $command"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout in blocks((ROOT / "README.md").read_text(encoding="utf-8"), "sh")


def test_lines_left_out_match_any_lines() -> None:
    assert is_shown(["a", "b", "c", "d"], ["a", "…", "d"])
    assert is_shown(["a", "d"], ["a", "…", "d"])
    assert not is_shown(["a", "b"], ["a", "…", "d"])
    assert not is_shown(["a", "b"], ["a"])


def test_times_and_memory_are_not_compared() -> None:
    assert comparable("holds — 3 states, 0.018 s") == comparable("holds — 3 states, 12.5 s")
    assert comparable("memory  1.2 MiB") == comparable("memory  13.0 KiB")
    assert comparable("(compile 0.1, explore 0.2, check 0.3), 1.5 M edges/s") == comparable(
        "(compile 0.003, explore 0.5, check 0.012), 930 k edges/s"
    )
    assert comparable("3 states") != comparable("4 states")
