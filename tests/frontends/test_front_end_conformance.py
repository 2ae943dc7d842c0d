"""What every front end must do: the same systems in each language, and every command on each of them.

To add a language: write the systems of `systems/` in it, and add a row to `ROWS`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

import pytest

import asset
from asset.cli.explorer.app import ExplorerRequests
from asset.cli.explorer.session import Session
from asset.cli.main import main
from asset.cli.tools import watch
from asset.errors import ModelRejected
from asset.ir.verify import verify
from asset.languages import ENDINGS, ModelSpec, language_of, load
from asset.report.document import plain

SYSTEMS = Path(__file__).parent / "systems"


@dataclass(frozen=True, slots=True)
class Row:
    """A language: what its properties are called in the systems, and a text that it does not take."""

    ending: str
    properties: Mapping[str, str]
    mistaken: str
    place: str
    """Line and column of the mistake."""
    lacks: frozenset[str] = frozenset()
    """What cannot be said in it: kinds of requirements, and `hand` for reductions that are written by hand."""

    def __str__(self) -> str:
        return self.ending

    def words(self, system: str, **parameters: object) -> list[str]:
        return self.spec(system, **parameters).words

    def spec(self, system: str, **parameters: object) -> ModelSpec:
        return ModelSpec(f"{SYSTEMS / system}{self.ending}", {name: str(value) for name, value in parameters.items()})


ROWS = [
    Row(
        ending=".py",
        properties={"safety": "safe", "deadlock": "done", "may-progress": "live"},
        mistaken="""\
from asset import Model, transition

class Mistaken(Model):
    def state(self):
        self.x = False

    @transition
    def go(self):
        self.y = True
""",
        place="9:9",
    ),
    Row(
        ending=".model",
        properties={"safety": "check_state", "deadlock": "check_deadlock", "may-progress": "is_may_progress"},
        mistaken="""\
state_var x(1);
unsigned nr_transitions(){ return 1; }
bool fire_transition( unsigned ){ y = 1; return true; }
""",
        place="3:35",
    ),
    Row(
        ending=".pml",
        properties={"safety": "safe", "deadlock": "valid end state"},
        mistaken="""\
bool x;
active proctype P() {
  y = true
}
""",
        place="3:3",
        lacks=frozenset({"may-progress", "hand"}),
    ),
]


@dataclass(frozen=True, slots=True)
class System:
    """What is true of a system in every language."""

    name: str
    n: int
    answer: str
    states: int
    edges: int
    kind: str | None = None
    steps: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def needs(self) -> set[str]:
        """What a language must have for it."""
        return {*self.options.values(), *([] if self.kind is None else [self.kind])}

    def __str__(self) -> str:
        return " ".join([self.name, str(self.n), *(f"{name}={value}" for name, value in self.options.items())])


HOLDS, VIOLATED = "holds", "violated"

TABLE = [
    System("lock", 2, HOLDS, 8, 8),
    System("lock", 3, HOLDS, 20, 24),
    System("ring", 3, HOLDS, 6, 6),
    System("table", 3, VIOLATED, 20, 28, "deadlock", 3),
    System("race", 2, VIOLATED, 9, 12, "safety", 4),
    System("overflow", 2, VIOLATED, 10, 12, "model-error", 3),
    System("trap", 3, VIOLATED, 5, 6, "may-progress", 5),
    System("workers", 3, HOLDS, 27, 54),
    System("workers", 3, HOLDS, 7, 6, options={"stubborn": "hand"}),
    System("workers", 3, HOLDS, 10, 20, options={"symmetry": "hand"}),
    System("workers", 3, HOLDS, 7, 6, options={"stubborn": "hand", "symmetry": "hand"}),
]

every_language = pytest.mark.parametrize("row", ROWS, ids=str)


MACHINES = {".asm"}
"""A machine has no disabled transitions, so these systems cannot be written as one. What commands do with machines is
tested in `asm/test_machine_commands.py`."""


def test_every_language_has_a_row() -> None:
    assert {row.ending for row in ROWS} | MACHINES == set(ENDINGS)
    for system in {system.name for system in TABLE}:
        told = {row.ending for row in ROWS for each in TABLE if each.name == system and not each.needs & row.lacks}
        assert {file.suffix for file in SYSTEMS.glob(f"{system}.*")} == told


# --- meaning ----------------------------------------------------------------------------------------------------


@every_language
@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("system", TABLE, ids=str)
def test_a_system_is_the_same_in_every_language(system: System, engine: str, row: Row) -> None:
    if system.needs & row.lacks:
        pytest.skip(f"{row.ending} has no {', '.join(system.needs & row.lacks)}")
    verdict = asset.check(load(row.spec(system.name, n=system.n)), engine=engine, **system.options)
    assert (verdict.answer.value, verdict.states, verdict.edges) == (system.answer, system.states, system.edges)
    if system.kind is None:
        assert verdict.violation is None and verdict.counterexample is None
        return
    assert verdict.violation is not None and verdict.counterexample is not None
    assert verdict.violation.kind == system.kind
    assert verdict.violation.property == row.properties.get(system.kind)
    assert len(verdict.counterexample) - 1 == system.steps
    spans = [step.span for step in verdict.counterexample.steps[1:]]
    assert all(span is not None and span.file.endswith(row.ending) for span in spans)


@every_language
def test_a_program_is_well_formed(row: Row) -> None:
    subject = load(row.spec("lock", n=2))
    if subject.opaque is None:
        verify(subject.executable().program)
    assert subject.executable().program.nr_commands == 4


@every_language
def test_a_state_that_is_seen_can_be_found_again(row: Row) -> None:
    subject = load(row.spec("lock", n=2))
    initial = subject.executable().program.initial
    seen = subject.seen(initial)
    assert subject.cells(seen.model) == initial
    assert list(seen.model.at) == [0, 0]
    with pytest.raises(AttributeError):
        _ = seen.model.nonesuch


@every_language
def test_a_fingerprint_tells_models_apart(row: Row) -> None:
    two, again, three = (load(row.spec("lock", n=n)).fingerprint() for n in (2, 2, 3))
    assert two == again != three


@every_language
def test_what_is_not_of_the_language_is_an_error_with_its_place(row: Row, tmp_path: Path) -> None:
    file = tmp_path / f"mistaken{row.ending}"
    file.write_text(row.mistaken)
    with pytest.raises(ModelRejected, match=f"{file}:{row.place}: error: "):
        load(ModelSpec(str(file))).executable()


@every_language
def test_a_parameter_that_the_model_has_not_is_an_error(row: Row, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *row.words("lock", nonesuch=1)]) == 2
    assert "nonesuch" in capsys.readouterr().err


@every_language
def test_a_file_that_is_not_there_is_an_error(row: Row, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"nowhere{row.ending}"]) == 2
    assert f"there is no file nowhere{row.ending}" in capsys.readouterr().err


# --- commands ---------------------------------------------------------------------------------------------------


@every_language
@pytest.mark.parametrize(
    ("command", "system", "options", "status", "said"),
    [
        ("check", "lock", "--quiet", 0, "holds — 20 states"),
        ("check", "race", "--quiet", 1, "after 4 steps"),
        ("check", "workers", "--stubborn hand --quiet", 0, "holds — 7 states"),
        ("run", "lock", "", 0, "6 steps — it ends in a terminal state"),
        ("step", "race", "", 0, "n follows the counterexample: 4 steps"),
        ("graph", "lock", "-o space.json", 0, "20 states, 24 edges"),
        ("graph", "workers", "--symmetry hand -o space.json", 0, "reduced by symmetry: 10 states"),
        ("sweep", "workers", "--stubborn hand", 0, "stubborn hand: states grow about n^"),
    ],
)
def test_a_command_takes_every_language(
    row: Row,
    command: str,
    system: str,
    options: str,
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if "hand" in options and "hand" in row.lacks:
        pytest.skip(f"{row.ending} has no reductions that are written by hand")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("0\nu\nc\nn\nq\n"))
    n = "1..3" if command == "sweep" else "2" if system == "race" else "3"
    assert main([command, *row.words(system, n=n), *options.split()]) == status
    assert said in capsys.readouterr().out


@every_language
@pytest.mark.parametrize("options", ["explain --stubborn", "explain --symmetry", "lint"])
def test_a_command_that_looks_into_transitions_says_so_if_it_cannot(
    row: Row, options: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *rest = options.split()
    status = main([command, *row.words("lock", n=2), *rest])
    opaque = load(row.spec("lock", n=2)).opaque
    if opaque is None:
        assert status == 0
    else:
        assert status == 2
        assert f"asset {command} needs to see into the transitions, and {opaque}" in capsys.readouterr().err


@every_language
@pytest.mark.parametrize("option", ["stubborn", "symmetry"])
def test_a_derived_reduction_says_so_if_it_cannot_look_into_transitions(
    row: Row, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["check", *row.words("workers", n=3), f"--{option}", "auto"])
    opaque = load(row.spec("workers", n=3)).opaque
    assert status == (0 if opaque is None else 2)
    if opaque is not None:
        assert f"{option}=auto needs to see into the transitions, and {opaque}" in capsys.readouterr().err


@every_language
def test_the_state_graph_of_every_language_has_the_values_of_its_states(row: Row) -> None:
    graph = asset.state_graph(asset.load(row.spec("lock").file, n=2), project=["at"])
    assert sorted(node.states for node in graph.nodes) == [1] * 8
    assert len({repr(node.values) for node in graph.nodes}) == 8


@every_language
def test_verify_takes_every_language(row: Row) -> None:
    assert asset.verify(asset.load(row.spec("lock").file, n=3)).states == 20
    with pytest.raises(asset.NotVerified, match="after 4 steps"):
        asset.verify(asset.load(row.spec("race").file, n=2))


@every_language
def test_a_watch_sees_a_save_in_every_language(row: Row, tmp_path: Path) -> None:
    file = tmp_path / f"lock{row.ending}"
    file.write_bytes((SYSTEMS / f"lock{row.ending}").read_bytes())
    said: list[str] = []
    check = watch.WatchedCheck(ModelSpec(str(file), {"n": "2"}), ())
    watcher = watch.Watcher(file, [check], lambda lines: said.append(plain(lines)))
    watcher.check_all(watcher.snapshot())
    assert ": holds — 8 states" in said[0]
    for part in language_of(file.name).parts:
        before = watcher.snapshot()
        (tmp_path / f"part{part}").touch()
        assert watcher.snapshot() != before
    before = watcher.snapshot()
    (tmp_path / "notes.txt").touch()
    assert watcher.snapshot() == before


@every_language
def test_the_explorer_takes_every_language(row: Row) -> None:
    requests = ExplorerRequests(Session.of(row.spec("race", n=2)))
    about = requests.model({})
    assert [(each["name"], each["value"]) for each in about["parameters"]] == [("n", "2")]
    markup = r'<span class="gutter">\d+</span>|<h2>.*?</h2>|<.*?>'
    plain = unescape(re.sub(markup, "", about["source"].replace("</div>", "\n")))
    assert plain.split() == (SYSTEMS / f"race{row.ending}").read_text().split()
    shown = requests.state({"run": [0], "at": 1})
    assert [name for name in shown["state"] if shown["state"][name] != shown["before"][name]] == ["at"]
    assert [each["command"] for each in shown["enabled"]] == [1, 2]
    assert "<svg" in requests.neighbourhood({"run": [0], "steps": 2})["svg"]
    for _ in range(3):
        requests.check({})
        while requests.progress({})["running"]:  # the page asks for states meanwhile
            assert requests.state({"run": [0], "at": 1}) == shown
    told = requests.progress({})
    assert told["verdict"] == "violated" and len(told["run"]) == 4
    assert requests.state({"run": told["run"], "at": 4})["wrong"]
    requests.model({"parameters": {"n": "3"}})
    assert len(requests.state({"run": [], "at": 0})["state"]["at"]) == 3
