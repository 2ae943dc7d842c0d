"""Exit statuses and words under faults: 1 means violated and nothing else, and nobody sees a traceback."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from asset.cli.main import main
from asset.sweep.plot import NOTHING

HEAD = "from enum import IntEnum\nfrom asset import *\n"
MODEL = """\
class M(Model):
    n: int = 3

    def state(self):
        self.x = Int(0, 3)

    @transition
    def go(self):
        when(self.x < self.n)
        self.x += 1

"""


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.py").write_text(HEAD + MODEL)
    Path("violated.py").write_text(HEAD + MODEL + "    @invariant\n    def small(self):\n        return self.x < 1\n")


def ended(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err and "internal error" not in captured.err, captured.err
    return status, captured.out, captured.err


# --- what a model does --------------------------------------------------------------------------------------------

AT_IMPORT = {
    "exit": ("raise SystemExit(0)", "SystemExit: 0"),
    "exit with 1": ("exit(1)", "SystemExit: 1"),
    "base": ("class B(BaseException): pass\nraise B('what')", "B: what"),
    "generator": ("raise GeneratorExit", "GeneratorExit"),
    "mute": ("class E(Exception):\n    def __str__(self): raise E\nraise E", "E: (it cannot be shown"),
    "deep": ("def deeper():\n    deeper()\ndeeper()", "RecursionError"),
    "path": ("import sys\nsys.path.clear()\nimport nowhere", "ModuleNotFoundError"),
    "null": ("x = '\0'", "null bytes"),
}


@pytest.mark.parametrize("name", AT_IMPORT)
@pytest.mark.parametrize("inside", [False, True], ids=["import", "state"])
def test_whatever_is_raised_while_a_model_is_made_is_told_with_its_place(
    name: str, inside: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    text, expected = AT_IMPORT[name]
    if inside:
        text = "class M(Model):\n    def state(self):\n" + "".join(f"        {row}\n" for row in text.split("\n"))
    path = sys.path.copy()
    Path("model.py").write_text(HEAD + text + "\n")
    status, out, err = ended(capsys, "check", "model.py")
    sys.path[:] = path
    assert (status, out) == (2, "")
    assert "model.py:" in err.split(" error: ")[0]
    assert expected in err


def test_a_model_that_interrupts_itself_is_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    Path("model.py").write_text("raise KeyboardInterrupt")
    assert ended(capsys, "check", "model.py")[0] == 3


@pytest.mark.parametrize("raised", ["exit()", "raise B", "raise E"])
def test_whatever_is_raised_by_a_method_is_a_model_error(raised: str, capsys: pytest.CaptureFixture[str]) -> None:
    classes = "class B(BaseException): pass\nclass E(Exception):\n    def __str__(self): raise E\n"
    method = f"    @transition\n    def stop(self):\n        with open('/dev/null'):\n            {raised}\n"
    Path("model.py").write_text(HEAD + classes + MODEL + method)
    status, out, _ = ended(capsys, "check", "model.py", "--engine", "reference")
    assert status == 1
    assert out.startswith("M(n=3): violated — model error in stop in the initial state: ")


def test_code_that_is_nested_too_deeply_is_told_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    for nested in ("not " * 2000 + "self.x", "-" * 900 + "self.x == 1", "self.x + " * 400 + "self.x > 1"):
        Path("model.py").write_text(f"{HEAD}{MODEL}    @invariant\n    def deep(self):\n        return {nested}\n")
        status, _, err = ended(capsys, "check", "model.py")
        assert status == 2
        assert "error: deep is nested too deeply here: 200 levels are the most" in err
        assert "model.py:16:" in err


def test_what_is_nested_as_deeply_as_it_may_be_is_checked_in_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    nested = "self.x + " * 190 + "self.x > -1"
    Path("model.py").write_text(f"{HEAD}{MODEL}    @invariant\n    def deep(self):\n        return {nested}\n")
    for words in ([], ["--engine", "reference"], ["--stubborn", "auto"], ["--symmetry", "auto"]):
        assert ended(capsys, "check", "model.py", *words)[0] == 0


def test_bytes_that_are_no_text_are_told_with_their_place(capsys: pytest.CaptureFixture[str]) -> None:
    Path("model.py").write_bytes(HEAD.encode() + b"# caf\xe9\n" + MODEL.encode())
    status, _, err = ended(capsys, "check", "model.py")
    assert status == 2
    assert err.startswith("model.py:3:6: error: the byte 0xe9 is not utf-8\n")
    Path("model.py").write_bytes(b"# coding: latin-1\n# caf\xe9\n" + (HEAD + MODEL).encode())
    assert ended(capsys, "check", "model.py")[0] == 0


def test_a_model_that_closes_standard_output_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("model.py").write_text(f"import sys\nsys.stdout.close()\n{HEAD}{MODEL}")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    status = main(["check", "model.py"])
    assert status == 2
    assert "cannot write to standard output: it has been closed" in capsys.readouterr().err


LOOPS = {
    "state": "while True:\n            self.x = 1",
    "local": "i = 0\n        while True:\n            i += 1",
    "nested": "while True:\n            while self.x < 3:\n                pass",
    "huge": "for i in range(10**15):\n            self.x = 0",
    "square": "for i in range(10**6):\n            for j in range(10**6):\n                self.x = (i + j) % 2",
    "sum": "self.x = sum(1 for i in range(10**9) for j in range(10**9)) % 2",
    "helper": "i = 0\n        while True:\n            i = i + self.heavy(i)",
    "counting": "for i in range(self.x + 9000):\n            self.search(i)",
    "large": "i = 0\n        while True:\n" + "            i += self.x * (i % 3) + 1\n" * 60,
}
HEAVY = """    def heavy(self, i):
        return sum(i % 7 for k in range(3000)) + 1

    def search(self, i):
        k = 0
        while k < 9000 + i:
            k += 1
        self.x = k % 2

"""


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_without_end_is_a_model_error_at_its_line(
    name: str, engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spin = f"    @transition\n    def spin(self):\n        when(self.x == 2)\n        {LOOPS[name]}\n"
    Path("model.py").write_text(HEAD + MODEL + HEAVY + spin)
    status, out, _ = ended(capsys, "check", "model.py", "--engine", engine)
    assert status == 1
    assert out.startswith("M(n=3): violated — model error in spin after 2 steps: the loop does not end: ")
    assert "model.py:" in out.splitlines()[2]


def test_a_loop_that_the_compiler_does_not_take_is_ended_in_plain_python(capsys: pytest.CaptureFixture[str]) -> None:
    loop = "        with open('/dev/null'):\n            while True:\n                pass\n"
    spin = f"    @transition\n    def spin(self):\n{loop}"
    Path("model.py").write_text(HEAD + MODEL + spin)
    status, out, _ = ended(capsys, "check", "model.py", "--engine", "reference")
    assert status == 1
    assert "model error in spin in the initial state: it may not end: " in out
    assert "model.py:16" in out or "model.py:17" in out


# --- what the command line says ----------------------------------------------------------------------------------

HUGE = str(2**70)


@pytest.mark.parametrize(
    "words",
    [
        ["check", "good.py", "--max-states", HUGE],
        ["check", "good.py", "--max-memory", HUGE],
        ["check", "good.py", "--max-memory", "9" * 400 + "T"],
        ["check", "good.py", "--threads", HUGE],
        ["check", "good.py", "--threads", str(2**32)],
        ["check", "good.py", "--stubborn", "auto", "--analysis-time", HUGE],
        ["check", "good.py", "--stubborn", "hand", "--audit", HUGE],
        ["check", "good.py", "-p", f"n={HUGE}"],
        ["check", "good.py", "-p", "n=" + "9" * 5000],
        ["run", "good.py", "--steps", HUGE],
        ["graph", "good.py", "-o", "x.svg", "--limit", HUGE],
        ["graph", "good.py", "-o", "x.svg", "--max-states", HUGE],
        ["explain", "good.py", "--stubborn", "--max-states", HUGE],
        ["explore", "good.py", "--port", HUGE],
        ["sweep", "good.py", "-p", "n=1..2", "--max-seconds", HUGE],
        ["check", "good.txt"],
        ["check", "good"],
        ["check", "a" * 300 + ".py"],
        ["check", "good.py:"],
        ["check", ".py"],
        ["new", "a" * 300 + ".py"],
        ["new", "no/such/folder.py"],
        ["examples", "--to", "elsewhere"],
        ["check", "good.py", "--dl-not-may"],
        ["check", "good.py", "--dl-not-must"],
        ["explain", "good.py", "--symmetry", "--max-states", "3"],
        ["graph", "good.py", "-o", "x.aut", "--limit", "3"],
        ["sweep", "good.py", "-p", "n=a,b", "--svg", "x.svg"],
    ],
    ids=lambda words: " ".join(word[:20] for word in words),
)
def test_what_cannot_be_honoured_is_an_error_in_words(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = ended(capsys, *words)
    assert status == 2
    assert "error: " in err
    assert {*os.listdir()} - {"__pycache__"} == {"good.py", "violated.py"}


def test_a_sweep_whose_every_value_is_violated_has_a_picture_that_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(capsys, "sweep", "violated.py", "-p", "n=2..3", "--svg", "growth.svg")[0] == 1
    assert NOTHING in Path("growth.svg").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ["check", "good.py", "--html", "good.py"],
        ["check", "good.py", "--json", "out", "--sarif", "./out"],
        ["check", "good.py", "--markdown", "linked.md"],
        ["check", "user.py", "--mermaid", "good.py"],
        ["graph", "good.py", "-o", "linked.svg"],
        ["sweep", "good.py", "-p", "n=1..2", "--csv", "good.py"],
        ["sweep", "good.py", "-p", "n=1..2", "--csv", "out", "--json", "out"],
        ["new", "good.py"],
    ],
    ids=" ".join,
)
def test_no_command_overwrites_a_model_or_its_own_output(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for link in ("linked.md", "linked.svg"):
        os.link("good.py", link)
    Path("user.py").write_text("import good\n\nclass User(good.M):\n    pass\n")
    before = {file.name: file.read_bytes() for file in Path().glob("*.*")}
    status, _, err = ended(capsys, *words)
    sys.modules.pop("good", None)
    assert status == 2
    assert "cannot write" in err or "exists already" in err
    assert {file.name: file.read_bytes() for file in Path().glob("*.*")} == before
    assert not Path("out").exists()


# --- streams ------------------------------------------------------------------------------------------------------


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A shell runs the command, in which `asset` is this one."""
    python = f'"{sys.executable}" -m asset'
    return subprocess.run(
        ["bash", "-c", command.replace("asset ", f"{python} ", 1)],
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("asset step good.py <&-", 0),
        ("asset step good.py <&- >&-", 0),
        ("asset completion bash >/dev/full", 2),
        ("asset --help >/dev/full", 2),
        ("asset --version >&-", 0),
        ("asset check gone.py 2>/dev/full", 2),
        ("asset check gone.py 2>&-", 2),
        ("asset check violated.py --quiet 2>&- >&-", 1),
        ("asset new fresh.py >/dev/full", 2),
        ("printf '\\xff\\nq\\n' | asset step good.py", 0),
    ],
)
def test_streams_that_are_closed_or_full_change_no_status(command: str, status: int) -> None:
    done = shell(command)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr and b"internal error" not in done.stderr
    assert status != 2 or b"2>" in command.encode() or done.stderr.startswith(b"error: ")


def test_a_terminal_without_unicode_gets_every_text() -> None:
    Path("gr\u00f6\u00dfe.py").write_text(HEAD + MODEL.replace("go", "gr\u00f6\u00dfer"), encoding="utf-8")
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    command = "asset check --help && " + f'"{sys.executable}" -m asset run gr\u00f6\u00dfe.py'
    done = shell(command, **ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"1.5GiB..." in done.stdout and b"gr\\xf6\\xdfer" in done.stdout


def test_a_file_whose_name_is_no_text_is_checked_with_all_reports() -> None:
    Path(os.fsdecode(b"bad\xff.py")).write_text(Path("violated.py").read_text())
    files = " ".join(f"--{name} out.{name}" for name in ("json", "html", "markdown", "mermaid", "sarif"))
    done = shell(f"asset check $'bad\\xff.py' {files}")
    assert (done.returncode, done.stderr) == (1, b"")
    assert len(list(Path().glob("out.*"))) == 5


def test_a_compiler_that_compiles_nothing_is_told() -> None:
    model = Path(__file__).parents[2] / "models" / "asset" / "bins.model"
    done = shell(f"asset check {model}", CXX="/bin/true", ASSET_CACHE_DIR=str(Path("cache").absolute()))
    assert done.returncode == 2
    assert b"error: /bin/true says that it has compiled" in done.stderr


def test_an_interrupt_while_the_tool_is_loaded_is_undecided() -> None:
    code = (
        "import sys, signal\n"
        "class Finder:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'asset.cli.main': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from asset.__main__ import command\n"
        "sys.exit(command())\n"
    )
    done = subprocess.run([sys.executable, "-c", code, "check", "good.py"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (3, "asset: interrupted before there was anything to report\n")


@pytest.mark.parametrize("megabytes", [60, 120, 180, 250])
def test_a_start_with_little_memory_ends_in_words(megabytes: int) -> None:
    done = shell(f"ulimit -v {megabytes * 1024}; asset check violated.py --quiet", ASSET_CACHE_DIR=f"cache{megabytes}")
    assert done.returncode in (1, 2, 3)
    assert b"Traceback" not in done.stderr and b"internal error" not in done.stderr
    assert done.returncode != 1 or done.stdout.startswith(b"M(n=3): violated")
