"""Reports for other tools, against golden files of real verdicts; ASSET_REWRITE_GOLDEN=1 writes them anew."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from golden import assert_golden
from places import ROOT

from asset import Answer, Verdict, check
from asset.frontends.python import load
from asset.report import annotation, formats, lanes, text
from asset.verdict import Caveat, Memory, Seconds

CASES = {
    "safety": ("models/readers_writers.py:RacyReaders", {"readers": "2", "writers": "1"}),
    "lasso": ("models/peterson.py:PetersonRevealing", {"n": "2"}),
    "deadlock": ("models/philosophers.py:Philosophers", {"n": "3"}),
    "model_error": ("tests/golden/files/counter.py", {}),
    "holds": ("models/token_ring.py", {"n": "2"}),
}
ENDINGS = {"markdown": "md", "mermaid": "mmd", "sarif": "sarif"}


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@cache
def verdict_of(case: str) -> Verdict:
    """The verdict without what differs from run to run."""
    file, parameters = CASES[case]
    return replace(check(load(file, parameters)), seconds=Seconds(), memory=Memory())


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ENDINGS)
def test_a_report_file_is_as_its_golden_file(case: str, name: str) -> None:
    assert_golden(f"files/{case}.{ENDINGS[name]}", formats.render(verdict_of(case), name))


@pytest.mark.parametrize("case", CASES)
def test_a_text_of_a_real_verdict_is_as_its_golden_file(case: str) -> None:
    assert_golden(f"files/{case}.txt", text.render(verdict_of(case)) + "\n")


def test_reasons_fit_a_narrow_terminal() -> None:
    narrow = text.render(verdict_of("deadlock"), 50).split("Why")[1].split("Counterexample")[0]
    assert max(map(len, narrow.splitlines())) <= 50


@pytest.mark.parametrize("case", ["safety", "lasso"])
def test_swim_lanes_are_as_their_golden_file(case: str) -> None:
    assert_golden(f"files/{case}.svg", lanes.drawn(verdict_of(case)) + "\n")


def test_no_lanes_are_drawn_where_there_is_no_run() -> None:
    assert lanes.drawn(verdict_of("holds")) == ""


def test_an_annotation_is_one_line_on_the_line_of_the_property() -> None:
    said = annotation.render(verdict_of("safety"))
    span = verdict_of("safety").violation
    assert span and span.span
    assert said.startswith(
        f"::error file=models/readers_writers.py,line={span.span.line},col=5,title=ASSET%3A RacyReaders"
    )
    assert "\n" not in said and "%0A" in said


def test_an_annotation_of_what_holds_is_a_notice_and_of_what_is_open_a_warning() -> None:
    held = verdict_of("holds")
    assert annotation.render(held).startswith("::notice title=")
    assert annotation.render(replace(held, answer=Answer.UNDECIDED)).startswith("::warning title=")


@pytest.mark.parametrize("name", ["markdown", "mermaid", "html"])
def test_what_a_model_says_cannot_break_out_of_a_report(name: str) -> None:
    nasty = "</script><script>alert(1)</script> | `x` ; # end"
    verdict = replace(verdict_of("safety"), caveats=(Caveat("nasty", nasty),), model=nasty)
    assert "<script>alert" not in formats.render(verdict, name)


def test_a_verdict_gives_the_texts_that_the_options_write() -> None:
    verdict = verdict_of("safety")
    assert verdict.to_markdown() == formats.render(verdict, "markdown")
    assert verdict.to_html() == formats.render(verdict, "html")


def test_a_table_of_markdown_has_as_many_columns_in_each_row() -> None:
    rows = [line for line in formats.render(verdict_of("lasso"), "markdown").splitlines() if line.startswith("| ")]
    steps = [row for row in rows if row.count(" | ") > 2]
    assert len({row.replace("\\|", "").count("|") for row in steps}) == 1
