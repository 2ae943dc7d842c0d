"""The `asset` command: exit statuses, what goes to which stream, and no traceback for anyone."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from asset.cli import complaints, output
from asset.cli import main as cli
from asset.cli.arguments import CheckCommand
from asset.errors import Diagnostic, ModelRejected
from asset.report.document import Role, coloured, line, plain
from asset.report.table import place
from asset.span import Span
from asset.verdict import Answer, Change, Checked, Counterexample, Memory, Seconds, Step, Verdict, Violation

HOLDS = Verdict(
    answer=Answer.HOLDS,
    model="Ring",
    parameters={"n": 2},
    violation=None,
    counterexample=None,
    states=68,
    edges=140,
    depth=11,
    terminal_states=1,
    seconds=Seconds(total=0.25),
    memory=Memory(8.0, 4096),
    checked=(Checked("safety", "mutual_exclusion", Answer.HOLDS),),
)
VIOLATED = replace(
    HOLDS,
    answer=Answer.VIOLATED,
    violation=Violation("safety", "mutual_exclusion", "mutual_exclusion is false"),
    counterexample=Counterexample(
        (Step(None, {"x": 0}, (), None), Step("go", {"x": 1}, (Change("x", 0, 1),), None)),
    ),
)
UNDECIDED = replace(HOLDS, answer=Answer.UNDECIDED)

Install = Callable[[Verdict | BaseException], None]


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Makes every check end so."""

    def install(end: Verdict | BaseException) -> None:
        def verdict_of(command: CheckCommand) -> Verdict:
            assert isinstance(end, Verdict)
            return end

        monkeypatch.setattr(cli, "verdict_of", verdict_of)
        if isinstance(end, BaseException):  # not from a file: what goes wrong in a file is the user's
            exec("def verdict_of(command):\n    raise end", names := {"end": end})
            monkeypatch.setattr(cli, "verdict_of", names["verdict_of"])

    return install


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("verdict", "status"), [(HOLDS, 0), (VIOLATED, 1), (UNDECIDED, 3)])
def test_the_exit_status_is_the_verdict(answering: Install, verdict: Verdict, status: int) -> None:
    answering(verdict)
    assert cli.main(["check", "ring.py"]) == status


def test_a_mistake_on_the_command_line_is_told_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "ring.py", "--max-memory", "4Q"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "error: '4Q' is not an amount of memory\n    write it like 512M, 4G or 1.5GiB\n"


def test_a_model_at_fault_is_told_with_its_diagnostics(answering: Install, capsys: pytest.CaptureFixture[str]) -> None:
    answering(ModelRejected.of("what is this?", remedy="write something else"))
    assert cli.main(["check", "ring.py"]) == 2
    assert capsys.readouterr().err == "error: what is this?\n    write something else\n"


def test_a_bug_of_ours_is_one_line_without_a_traceback(answering: Install, capsys: pytest.CaptureFixture[str]) -> None:
    answering(KeyError("gone\nfar"))
    assert cli.main(["check", "ring.py"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("asset: internal error: KeyError")
    assert "--debug" in error
    assert error.count("\n") == 1


def test_an_exception_in_the_users_code_is_told_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def verdict_of(command: CheckCommand) -> Verdict:
        raise ValueError("what")

    monkeypatch.setattr(cli, "verdict_of", verdict_of)
    assert cli.main(["check", "ring.py"]) == 2
    assert ": error: ValueError: what\n" in capsys.readouterr().err


def test_debug_shows_the_traceback_of_a_bug(answering: Install, capsys: pytest.CaptureFixture[str]) -> None:
    answering(KeyError("gone"))
    assert cli.main(["check", "ring.py", "--debug"]) == 2
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("end", [KeyboardInterrupt(), MemoryError()])
def test_an_end_without_a_verdict_is_undecided(
    answering: Install, capsys: pytest.CaptureFixture[str], end: BaseException
) -> None:
    answering(end)
    assert cli.main(["check", "ring.py"]) == 3
    assert capsys.readouterr().err.count("\n") == 1


def test_a_model_that_exits_does_not_pass_for_one_that_holds(answering: Install) -> None:
    answering(SystemExit(0))
    assert cli.main(["check", "ring.py"]) == 2


def test_help_and_version_are_no_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["--version"], ["check", "--help"], ["run", "--help"], ["step", "--help"]):
        with pytest.raises(SystemExit) as end:
            cli.main(words)
        assert end.value.code == 0
        assert capsys.readouterr().out


def test_no_command_at_all_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert end.value.code == 2
    assert "asset check counter.py" in capsys.readouterr().err


def test_quiet_leaves_the_first_line(answering: Install, capsys: pytest.CaptureFixture[str]) -> None:
    answering(VIOLATED)
    cli.main(["check", "ring.py", "--quiet"])
    assert capsys.readouterr().out == "Ring(n=2): violated — mutual_exclusion is false after 1 step\n"


def test_a_pipe_gets_no_escape_codes(answering: Install, capsys: pytest.CaptureFixture[str]) -> None:
    answering(VIOLATED)
    cli.main(["check", "ring.py"])
    assert "\x1b" not in capsys.readouterr().out


def test_a_terminal_gets_colours_unless_it_wants_none(answering: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(VIOLATED)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for no_colour, is_coloured in (("", True), ("1", False)):
        monkeypatch.setenv("NO_COLOR", no_colour)
        terminal = Terminal()
        monkeypatch.setattr("sys.stdout", terminal)
        cli.main(["check", "ring.py"])
        assert ("\x1b[" in terminal.getvalue()) is is_coloured


def test_colours_can_be_forced_into_a_pipe_unless_none_are_wanted(
    answering: Install, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(VIOLATED)
    for forced, none, is_coloured in (("1", "", True), ("0", "", False), ("1", "1", False)):
        monkeypatch.setenv("FORCE_COLOR", forced)
        monkeypatch.setenv("NO_COLOR", none)
        cli.main(["check", "ring.py"])
        assert ("\x1b[" in capsys.readouterr().out) is is_coloured


def test_places_are_links_in_terminals_that_know_them(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line(place(Span("ring.py", 3, 4), Role.STRONG))]
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "VTE_VERSION", "KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "FORCE_HYPERLINK"):
        monkeypatch.delenv(name, raising=False)
    for program, linked in (("vscode", True), ("Apple_Terminal", False)):
        monkeypatch.setenv("TERM_PROGRAM", program)
        text = output.dressed(lines, Terminal())
        assert ("\x1b]8;;file:///" in text) is linked
        assert "ring.py:3:4" in text
    assert "\x1b" not in output.dressed(lines, io.StringIO())


def test_what_is_wrong_with_a_model_is_told_in_colours_and_in_the_same_words(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text("x = [1,\n\ty]\n", encoding="utf-8")
    span = Span(str(file), 2, 2, 2, 3)
    error = ModelRejected(
        Diagnostic("'y' is not defined", span, "define it"), Diagnostic("odd", kind="note"), Diagnostic("bare")
    )
    assert plain(complaints.lines(error)) == str(error)
    assert "\x1b[1;31m    \t^\x1b[0m" in coloured(complaints.lines(error))


def test_json_on_standard_output_is_alone_there(answering: Install, capsys: pytest.CaptureFixture[str]) -> None:
    answering(VIOLATED)
    assert cli.main(["check", "ring.py", "--json", "-"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "violated"


def test_what_a_model_prints_stays_out_of_the_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def talkative(command: CheckCommand) -> Verdict:
        print("loading")
        return HOLDS

    monkeypatch.setattr(cli, "verdict_of", talkative)
    cli.main(["check", "ring.py", "--json", "-"])
    captured = capsys.readouterr()
    assert json.loads(captured.out)["verdict"] == "holds"
    assert captured.err == "loading\n"


def test_json_in_a_file_leaves_the_text_on_standard_output(
    answering: Install, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    answering(HOLDS)
    assert cli.main(["check", "ring.py", "--json", str(tmp_path / "v.json")]) == 0
    assert json.loads((tmp_path / "v.json").read_text())["states"] == 68
    assert capsys.readouterr().out.startswith("Ring(n=2): holds — 68 states, 140 edges, depth 11, 0.250 s\n")


def test_json_that_cannot_be_written_is_known_before_the_search(answering: Install, tmp_path: Path) -> None:
    answering(AssertionError("searched"))
    assert cli.main(["check", "ring.py", "--json", str(tmp_path / "no" / "v.json")]) == 2


def test_a_stream_without_unicode_gets_ascii() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    output.write("✗ x: 0 → 1 — 状\n┌ │ └", stream)
    stream.seek(0)
    assert stream.read() == "x x: 0 -> 1 - \\u72b6\n+ | +\n"


@pytest.mark.parametrize(("asked", "width"), [("44", 44), ("500", 120), ("wide", 80), ("0", 80)])
def test_lines_are_as_wide_as_asked_within_reason(monkeypatch: pytest.MonkeyPatch, asked: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", asked)
    assert output.columns(io.StringIO()) == width
