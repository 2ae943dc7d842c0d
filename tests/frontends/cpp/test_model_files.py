"""Every .model file answers as its head comment says: in the native engine, with threads, in the reference engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from expectations import Expectation, compare, expectations_in
from places import MODELS

from asset.checks import CheckOptions, check
from asset.frontends.cpp.toolchain import Compiler
from asset.languages import ModelSpec
from asset.languages.model_file import LibrarySubject, load
from asset.verdict import Verdict

ASSET_MODELS = MODELS / "asset"
EXPECTATIONS = list(expectations_in(ASSET_MODELS))
REFERENCE_LIMIT = 160  # states: each call goes to another process and back
THREADS_LIMIT = 1_000
FACTS = ("answer", "violation", "states", "edges", "depth", "terminal_states", "counterexample", "checked")


def subject(expected: Expectation) -> LibrarySubject:
    return load(ModelSpec(str(expected.file), expected.params))


def answer(expected: Expectation, engine: str = "native", threads: int = 1) -> Verdict:
    return check(subject(expected), CheckOptions(engine=engine, threads=threads))


def test_every_model_file_says_what_to_expect_of_it() -> None:
    assert {e.file for e in EXPECTATIONS} == set(ASSET_MODELS.glob("*.model"))


@pytest.mark.parametrize("expected", EXPECTATIONS, ids=str)
def test_a_model_file_gives_the_expected_answer_in_every_engine(expected: Expectation) -> None:
    native = answer(expected)
    compare(native, expected)
    if subject(expected).loaded.library.own_variables:
        return  # what it remembers of one run is not what it remembers of another
    others = []
    if native.states <= REFERENCE_LIMIT:
        others.append(answer(expected, "reference"))
    if "size_par" in expected.params and native.states <= THREADS_LIMIT:
        others.append(answer(expected, threads=2))
    for fact in FACTS:
        assert all(getattr(other, fact) == getattr(native, fact) for other in others), fact


MANY = """\
#include "size.h"
state_var on[many] = 1;
unsigned nr_transitions(){ return many; }
bool fire_transition( unsigned t ){
  if( on[t] || ( t > 0 && !on[t - 1] ) ){ return false; }
  on[t] = true;
  return true;
}
void next_stubborn( unsigned t ){ if( t > 0 && !on[t - 1] ){ stb( t - 1 ); } }
"""


def loaded(folder: Path, many: int, **definitions: str) -> LibrarySubject:
    (folder / "size.h").write_text(f"const unsigned many = {many};", encoding="utf-8")
    (folder / "many.model").write_text(MANY, encoding="utf-8")
    return load(ModelSpec(str(folder / "many.model"), definitions))


def test_more_transitions_than_are_unrolled_and_more_words_than_one(tmp_path: Path) -> None:
    subject = loaded(tmp_path, 130)
    assert subject.loaded.library.words == 3
    for engine in ("native", "reference"):
        verdict = check(subject, CheckOptions(engine=engine, stubborn="hand"))
        assert (verdict.answer.value, verdict.states, verdict.edges) == ("holds", 131, 130)


def test_a_model_is_compiled_again_only_where_something_it_depends_on_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded(tmp_path, 3)

    def compile(*arguments: object) -> None:
        raise AssertionError("compiled again")

    with monkeypatch.context() as patch:
        patch.setattr(Compiler, "compile", compile)
        assert loaded(tmp_path, 3).executable().program.nr_commands == 3
        for changed in ({"many": 4}, {"many": 3, "try_forward": "1"}):
            with pytest.raises(AssertionError, match="compiled again"):
                loaded(tmp_path, **changed)  # type: ignore[arg-type]
    assert loaded(tmp_path, 4).executable().program.nr_commands == 4


@pytest.mark.parametrize(("definitions", "tried"), [({}, 2), ({"try_forward": "1"}, 0)])
def test_transitions_are_tried_by_increasing_number_where_the_model_says_so(
    tmp_path: Path, definitions: dict[str, str], tried: int
) -> None:
    text = """\
state_var x(2);
unsigned nr_transitions(){ return 3; }
bool fire_transition( unsigned t ){ if( x ){ return false; } x = t + 1; return true; }
#define chk_state
const char *check_state(){ return x ? "fired" : 0; }
"""
    (tmp_path / "order.model").write_text(text, encoding="utf-8")
    verdict = check(load(ModelSpec(str(tmp_path / "order.model"), definitions)), CheckOptions())
    assert verdict.counterexample is not None
    assert verdict.counterexample.steps[-1].transition == f"fire_transition({tried})"
    assert verdict.counterexample[-1].x == tried + 1
    assert verdict.edges == 1
