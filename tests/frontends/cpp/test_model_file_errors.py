"""Whatever a .model file does wrong, the tool survives, and says where it happened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asset.checks import CheckOptions, check
from asset.cli.main import main
from asset.engine.isolated import MOST_OUTPUT, LibraryExecutable
from asset.engine.worker import MOST_PRINTED
from asset.errors import AssetError, EngineUnavailable, ModelRejected
from asset.ir.faults import Fault, FaultKind
from asset.languages import ModelSpec
from asset.languages.model_file import LibrarySubject, load
from asset.verdict import Answer, Verdict

FAULTY = """\
#include <vector>
state_var x(4), y = 2, A[3] = 2;
unsigned nr_transitions(){ return 14; }
void print_state(){ std::cout << x << y << '\\n'; }
const int *nowhere = 0;
int endless( unsigned depth ){ volatile int here[100] = { (int)depth }; return endless( depth + 1 ) + here[0]; }
bool fire_transition( unsigned t ){
  switch( t ){
  case 0: if( x == 9 ){ return false; } ++x; return true;
  case 1: A[x + 3] = 1; return true;
  case 2: A[0] = 4; return true;
  case 3: y = 1; return false;
  case 4: y /= x; return true;
  case 5: err_msg = "so it says"; return true;
  case 6: return std::vector<int>( 2 ).at( x + 2 );
  case 7: return *(volatile const int *)nowhere;
  case 8: for( volatile bool on = true; on; ){} return true;
  case 9: exit( 7 );
  case 10: return endless( 0 );
  case 11: --y; return true;
  case 12: std::abort();
  default: return false;
  }
}
"""

EXPLORED = """\
state_var x(4);
unsigned nr_transitions(){ return 2; }
bool fire_transition( unsigned t ){
  if( t == 0 ){ if( x == 9 ){ return false; } ++x; return true; }
  if( x == 5 ){
#ifdef forever
    for( volatile bool on = true; on; ){}
#endif
    std::abort();
  }
  return false;
}
"""

TAKING = "for( std::vector<char *> all;; ){ all.push_back( new char[1 << 20]() ); }"
PRINTING = "for( ;; ){ std::cout << 1234567890 << 1234567890; std::cerr << 1234567890; }"


def loaded(folder: Path, text: str, patience: float = 10, **definitions: str) -> LibrarySubject:
    file = folder / "wrong.model"
    file.write_text(text, encoding="utf-8")
    return load(ModelSpec(str(file), definitions, patience))


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LibraryExecutable]:
    yield loaded(tmp_path_factory.mktemp("faulty"), FAULTY, patience=1.0).executable()


@pytest.mark.parametrize(
    ("transition", "kind", "message"),
    [
        (1, FaultKind.INDEX, "index 3 is out of bounds: there are 3"),
        (2, FaultKind.RANGE, "A[0] = 4: its 2 bits hold values from 0 to 3"),
        (3, FaultKind.CHANGED, "fire_transition(3) returned false but changed the state"),
        (4, FaultKind.DIVISION, "a division by zero"),
        (5, FaultKind.RAISE, "so it says"),
        (6, FaultKind.RAISE, "vector"),
        (7, FaultKind.CRASH, "SIGSEGV"),
        (8, FaultKind.LOOP, "assumed never to return"),
        (9, FaultKind.CRASH, "exit status 7"),
        (10, FaultKind.CRASH, "SIGSEGV"),
        (11, FaultKind.RANGE, "y = 4294967295"),
        (12, FaultKind.CRASH, "SIGABRT"),
    ],
)
def test_what_goes_wrong_in_a_transition_is_a_model_error(
    faulty: LibraryExecutable, transition: int, kind: FaultKind, message: str
) -> None:
    with pytest.raises(Fault) as caught:
        faulty.fire(faulty.program.initial, transition)
    assert caught.value.kind is kind
    assert message in caught.value.message


def test_after_a_crash_the_model_still_answers(faulty: LibraryExecutable) -> None:
    with pytest.raises(Fault):
        faulty.fire(faulty.program.initial, 12)
    after = faulty.fire(faulty.program.initial, 0)
    assert after == (1, 0, 0, 0, 0)
    assert faulty.fire(faulty.program.initial, 13) is None
    assert faulty.shown(after) == "10"


def verdict_of(subject: LibrarySubject, threads: int = 1) -> Verdict:
    return check(subject, CheckOptions(threads=threads))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_crash_while_exploring_is_reported_with_the_run_to_it(tmp_path: Path, threads: int) -> None:
    verdict = verdict_of(loaded(tmp_path, EXPLORED), threads)
    assert verdict.violated and verdict.violation is not None and verdict.counterexample is not None
    assert verdict.violation.kind == "model-error"
    assert "SIGABRT" in verdict.violation.message
    assert verdict.counterexample.failing == "fire_transition(1)"
    assert verdict.counterexample[-1].x == 5
    assert (verdict.states, verdict.edges) == (6, 5)


def test_a_transition_that_does_not_end_is_reported_with_the_run_to_it(tmp_path: Path) -> None:
    verdict = verdict_of(loaded(tmp_path, EXPLORED, patience=0.5, forever="1"))
    assert verdict.violation is not None and verdict.counterexample is not None
    assert "had not returned after 0.5 s" in verdict.violation.message
    assert verdict.counterexample[-1].x == 5


@pytest.mark.parametrize("threads", [1, 2])
def test_a_transition_that_takes_memory_without_end_is_reported_with_the_run_to_it(
    tmp_path: Path, threads: int
) -> None:
    subject = loaded(tmp_path, "#include <vector>\n" + EXPLORED.replace("std::abort();", TAKING), patience=30)
    verdict = check(subject, CheckOptions(threads=threads, max_memory=200 << 20))
    assert verdict.violation is not None and verdict.counterexample is not None
    assert "more than 200 MiB of memory" in verdict.violation.message
    assert verdict.counterexample[-1].x == 5


def test_a_transition_that_prints_without_end_is_reported_with_the_run_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = verdict_of(loaded(tmp_path, EXPLORED.replace("std::abort();", PRINTING), patience=1))
    assert verdict.violation is not None and verdict.counterexample is not None
    assert "had not returned after 1 s" in verdict.violation.message
    assert verdict.counterexample[-1].x == 5
    printed = capsys.readouterr()
    assert all(0 < len(text) < 2 * MOST_OUTPUT + 1000 for text in printed)


def test_what_a_model_prints_at_its_start_is_no_obstacle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    much = "for( unsigned i = 0; i < 200000; ++i ){ std::cout << 12345678; } return 2;"
    verdict = verdict_of(loaded(tmp_path, EXPLORED.replace("return 2;", much, 1).replace("std::abort();", "")))
    assert verdict.states == 10
    assert capsys.readouterr().out.startswith("12345678" * 200000)


@pytest.mark.parametrize("body", [PRINTING, TAKING])
def test_a_state_that_is_shown_without_end_is_shown_otherwise(tmp_path: Path, body: str) -> None:
    text = "#include <vector>\n" + EXPLORED + "void print_state(){" + body + "}"
    executable = loaded(tmp_path, text, patience=1).executable()
    assert executable.shown(executable.program.initial) is None
    assert executable.fire(executable.program.initial, 0) == (1,)


def test_a_state_that_is_shown_at_length_is_cut(tmp_path: Path) -> None:
    text = EXPLORED + "void print_state(){ for( int i = 0; i < 2000000; ++i ){ std::cout << 1; } }"
    executable = loaded(tmp_path, text).executable()
    shown = executable.shown(executable.program.initial)
    assert shown is not None and len(shown) == MOST_PRINTED
    assert executable.shown(executable.program.initial) == shown


def test_of_several_crashes_the_first_is_reported(tmp_path: Path) -> None:
    text = """\
state_var x(2), y(2);
unsigned nr_transitions(){ return 3; }
bool fire_transition( unsigned t ){
  if( t == 0 && x < 2 ){ ++x; return true; }
  if( t == 1 && y < 2 ){ ++y; return true; }
  if( t == 2 && x == 1 && y == 0 ){ std::abort(); }
  return false;
}
#define chk_state
const char *check_state(){ if( x == 1 && y == 1 ){ std::abort(); } return 0; }
"""
    verdict = verdict_of(loaded(tmp_path, text))  # both states are looked at in one go
    assert verdict.violation is not None and verdict.counterexample is not None
    assert verdict.violation.property == "check_state" or verdict.counterexample.failing is None
    assert (verdict.counterexample[-1].x, verdict.counterexample[-1].y) == (1, 1)


def test_variables_of_the_model_are_not_for_threads(tmp_path: Path) -> None:
    text = "static unsigned calls;\n" + EXPLORED.replace("if( x == 5 ){", "++calls; if( false ){")
    subject = loaded(tmp_path, text)
    assert subject.loaded.library.own_variables == ("calls",)
    with pytest.raises(AssetError, match="calls"):
        verdict_of(subject, threads=2)
    assert "own-variables" in {caveat.code for caveat in verdict_of(subject).caveats}


def test_a_model_that_does_not_do_the_same_again_is_at_fault(tmp_path: Path) -> None:
    text = """\
state_var x(4);
static unsigned calls;
unsigned nr_transitions(){ return 1; }
bool fire_transition( unsigned ){ if( ++calls > 4 ){ return false; } ++x; return true; }
#define chk_deadlock
const char *check_deadlock(){ return "it ends"; }
"""
    with pytest.raises(ModelRejected, match=r"is not a function|does not do the same"):
        verdict_of(loaded(tmp_path, text))


def test_an_interrupted_search_reports_what_it_has(tmp_path: Path) -> None:
    text = EXPLORED.replace("x(4)", "x(30)").replace("x == 9", "false").replace("x == 5", "false")
    verdict = check(loaded(tmp_path, text), CheckOptions(), lambda progress: progress.states == 0)
    assert verdict.answer is Answer.UNDECIDED
    assert "interrupted" in {caveat.code for caveat in verdict.caveats}
    assert verdict.states > 0


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (EXPLORED.replace("++x", "++z"), 4, "'z' was not declared"),
        (EXPLORED.replace("x(4)", "x(44)"), 1, "x has 44 bits"),
        (EXPLORED.replace("fire_transition", "fire"), 1, "no function fire_transition"),
        ("#define chk_state\n" + EXPLORED, 1, "chk_state is on, but the model has no function check_state"),
        (EXPLORED.replace("return 2;", "x = 16; return 2;"), 1, "nr_transitions() goes wrong: 16 does not fit 4 bits"),
        (EXPLORED.replace("return 2;", "std::abort();"), 2, "ends its process"),
        (
            "#include <vector>\n" + EXPLORED.replace("return 2;", TAKING),
            1,
            "nr_transitions() goes wrong: std::bad_alloc",
        ),
        ("bool f(){ state_var y = 2; return y; }\n" + EXPLORED, 1, "conversion from"),
    ],
    ids=["undeclared", "width", "function", "switch", "initial", "abort", "memory", "local"],
)
def test_what_cannot_be_compiled_or_begun_is_an_error_in_the_users_file(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    with pytest.raises(ModelRejected) as caught:
        loaded(tmp_path, text, patience=60)
    first = caught.value.diagnostics[0]
    assert message in first.message
    assert first.span is not None and (Path(first.span.file).name, first.span.line) == ("wrong.model", line)


def test_a_start_that_prints_without_end_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match="does not end within 1 s"):
        loaded(tmp_path, EXPLORED.replace("return 2;", PRINTING), patience=1)


def test_macros_of_the_model_do_not_change_what_is_around_it(tmp_path: Path) -> None:
    names = ("size", "state", "value", "copy", "table", "code", "what", "text", "start", "labels", "number", "variable")
    macros = "".join(f"#define {name} {at}\n" for at, name in enumerate(names))
    assert loaded(tmp_path, macros + EXPLORED).executable().fire((3,), 0) == (4,)


def test_a_definition_that_the_file_overrides_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match="the file itself defines it as 5"):
        loaded(tmp_path, "#define size 5\n" + EXPLORED, size="3")


def test_a_definition_that_nothing_looks_at_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="does not look at sise_par"):
        loaded(tmp_path, EXPLORED, sise_par="3")


def test_without_a_compiler_the_error_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(EngineUnavailable, match="apt-get install g"):
        loaded(tmp_path, EXPLORED)


def test_a_missing_file_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "nowhere.model"]) == 2
    assert "there is no file nowhere.model" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "value"), [("size", "1\n#define chk_state"), ("größe", "1"), ("size par", "1")])
def test_a_definition_is_one_macro(name: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="not a macro"):
        loaded(tmp_path, EXPLORED, **{name: value})
