"""The text report, against golden files; set ASSET_REWRITE_GOLDEN=1 to write them anew, and read the difference."""

from __future__ import annotations

import linecache
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from golden import assert_golden

from asset.report.document import coloured
from asset.report.text import headline, render, report
from asset.span import Span
from asset.verdict import (
    Answer,
    Caveat,
    Change,
    Checked,
    Counterexample,
    Memory,
    Reduction,
    Seconds,
    Step,
    Value,
    Verdict,
    Violation,
)

MODEL = "ring_broken.txt"


def holds() -> Verdict:
    return Verdict(
        answer=Answer.HOLDS,
        model="TokenRing",
        parameters={"n": 3},
        violation=None,
        counterexample=None,
        states=468,
        edges=1350,
        depth=17,
        terminal_states=1,
        seconds=Seconds(0.0021, 0.0014, 0.0003, 0.0041),
        memory=Memory(17.25, 1_234_567),
        checked=(
            Checked("safety", "mutual_exclusion", Answer.HOLDS),
            Checked("deadlock", "everyone_stopped", Answer.HOLDS),
        ),
        settings={"engine": "native", "stubborn": "off", "symmetry": "off", "max_states": None, "threads": 1},
    )


def ended_early(code: str, message: str) -> Verdict:
    unknown = tuple(replace(each, answer=Answer.UNDECIDED) for each in holds().checked)
    caveat = Caveat(code, message)
    large = replace(holds(), parameters={"n": 12}, states=1_000_000, edges=7_654_321, depth=23, terminal_states=0)
    slow = replace(large, seconds=Seconds(0.05, 131.9, 0.0, 132.4), memory=Memory(21.5, 3 << 30))
    return replace(slow, answer=Answer.UNDECIDED, checked=unknown, caveats=(caveat,))


def run(moves: Sequence[tuple[str, dict[str, Value]]], first: dict[str, Value]) -> list[Step]:
    """The steps of a run of variables that are not arrays."""
    steps = [Step(None, first, (), Span("peterson.py", 9))]
    for line, (transition, new) in enumerate(moves, 20):
        old = steps[-1].state
        changes = tuple(Change(cell, old[cell], value) for cell, value in new.items())
        steps.append(Step(transition, {**old, **new}, changes, Span("peterson.py", line, 5)))
    return steps


def violated(steps: Sequence[Step], violation: Violation, failing: str | None = None) -> Verdict:
    """Peterson's algorithm with this run as its counterexample."""
    return replace(
        holds(),
        answer=Answer.VIOLATED,
        model="Peterson",
        parameters={"n": 2, "fair": True},
        violation=violation,
        counterexample=Counterexample(tuple(steps), failing),
        states=336,
        edges=602,
        depth=len(steps) - 1,
        terminal_states=0,
        checked=tuple(
            Checked(kind, name, Answer.VIOLATED if name == violation.property else Answer.UNDECIDED)
            for kind, name in PROPERTIES
        ),
    )


PROPERTIES = (("safety", "in_range"), ("safety", "mutual_exclusion"), ("deadlock", "everyone_stopped"))


FALSE = Violation("safety", "mutual_exclusion", "mutual_exclusion is false", Span("peterson.py", 41, 5))


def safety() -> Verdict:
    first: dict[str, Value] = {"place_0": "IDLE", "place_1": "IDLE", "turn": 0, "wants": [False, False]}
    moves: list[tuple[str, dict[str, Value]]] = [
        ("request(0)", {"place_0": "WAITING", "wants": [True, False]}),
        ("request(1)", {"place_1": "WAITING", "wants": [True, True], "turn": 1}),
        ("skip", {}),
        ("enter(0)", {"place_0": "CRITICAL"}),
        ("enter(1)", {"place_1": "CRITICAL"}),
    ]
    return violated(run(moves, first), FALSE)


def deadlock() -> Verdict:
    grid: Value = [["EMPTY", "EMPTY"], ["TOKEN", "EMPTY"]]
    steps = run([("block", {"turn": 1})], {"turn": 0, "grid": grid})
    at = Span("peterson.py", 48, 5)
    verdict = violated(steps, Violation("deadlock", "everyone_stopped", "everyone_stopped is false", at))
    return replace(
        verdict, settings={"engine": "reference", "stubborn": "off", "only": ["deadlock"], "max_memory": 4 << 30}
    )


def model_error() -> Verdict:
    violation = Violation("model-error", None, "index 3 is out of bounds 0..2", Span(MODEL, 4, 9, 4, 26))
    return violated(run([("pass_on(1)", {"turn": 1})], {"turn": 0}), violation, failing="pass_on(2)")


def long_run() -> Verdict:
    return violated(run([(f"tick({i})", {"turn": i}) for i in range(1, 101)], {"turn": 0}), FALSE)


def lasso() -> Verdict:
    steps = run([("request", {"turn": 1}), ("spin", {"turn": 2}), ("spin_back", {"turn": 1})], {"turn": 0})
    verdict = violated(steps, Violation("must-progress", "served", "served is never true again", None))
    return replace(
        verdict,
        counterexample=Counterexample(tuple(steps), progress_lost_at=1, cycle_starts_at=1),
        checked=(Checked("must-progress", "served", Answer.VIOLATED),),
        caveats=(Caveat("must-stubborn", "With stubborn sets, a pass of must progress would not be reliable."),),
        settings={"engine": "native", "stubborn": "hand"},
        reduction=Reduction("hand"),
    )


def progress(kind: str, message: str, lost: int, cycle: int | None) -> Verdict:
    """A client that asks, is refused, and asks again: a run to tell of progress of each kind."""
    moves: list[tuple[str, dict[str, Value]]] = [
        ("ask", {"place": "ASKED"}),
        ("refuse", {"place": "REFUSED", "refused": True}),
        ("ask_again", {"place": "ASKED"}),
        ("refuse", {"place": "REFUSED"}),
    ]
    steps = run(moves, {"place": "IDLE", "refused": False})
    name = None if kind == "termination" else "served"
    verdict = violated(steps, Violation(kind, name, message, Span("peterson.py", 52, 5)))
    return replace(
        verdict,
        counterexample=Counterexample(tuple(steps), progress_lost_at=lost, cycle_starts_at=cycle),
        checked=(Checked(kind, name or "always may-terminating", Answer.VIOLATED),),
        settings={"engine": "native", "stubborn": "off", "symmetry": "off", "termination": False, "threads": 1},
    )


def representatives() -> Verdict:
    verdict = progress("may-progress", "from step 2 on, served can never hold again", 2, 2)
    caveats = (
        Caveat("trusted-rules", "the stubborn set rules are taken on trust; --audit tests them"),
        Caveat("trusted-symmetry", "the representatives are taken on trust; --audit tests them"),
    )
    settings = {"stubborn": "hand", "symmetry": "hand", "termination": True, "audit": None, "threads": 2}
    return replace(verdict, caveats=caveats, settings=settings, reduction=Reduction("hand", "hand"))


def audit() -> Verdict:
    message = "the rule of pass_on(1) is wrong in this state: its stubborn set breaks D1"
    violation = Violation("audit", "pass_on", message, Span(MODEL, 4, 9, 4, 26))
    verdict = violated(run([("pass_on(1)", {"turn": 1})], {"turn": 0}), violation)
    return replace(verdict, settings={"stubborn": "hand", "audit": 3}, reduction=Reduction("hand"))


def own_words() -> Verdict:
    steps = [replace(step, shown=f"turn={step.state['turn']} \x1b[31m|\x1b[0m") for step in lasso_steps()]
    return violated(steps, Violation("safety", "mutual_exclusion", "two clients in the critical section", None))


def lasso_steps() -> Sequence[Step]:
    found = lasso().counterexample
    assert found
    return found.steps


def pictures() -> Verdict:
    steps = [replace(step, shown=f"+---+\n| {step.state['turn']} |\n+---+\n") for step in lasso_steps()]
    return violated(steps, FALSE)


EXAMPLES = {
    "holds": holds(),
    "safety": safety(),
    "deadlock": deadlock(),
    "model_error": model_error(),
    "max_states": ended_early("max-states", "the limit on states was reached: not every reachable state was explored."),
    "interrupted": ended_early("interrupted", "the search was interrupted: not everything was explored and checked"),
    "long_run": long_run(),
    "lasso": lasso(),
    "may": progress("may-progress", "from step 2 on, served can never hold again", 2, 2),
    "must_ends": progress("must-progress", "the run ends after step 4, and served never holds from step 1 on", 1, None),
    "recurrence": progress("recurrence", "the run repeats steps 3 to 4 for ever, and grant never occurs", 2, 2),
    "termination": progress("termination", "no terminal state can be reached from step 1 on", 1, 2),
    "representatives": representatives(),
    "audit": audit(),
    "own_words": own_words(),
    "pictures": pictures(),
}


@pytest.fixture(autouse=True)
def beside_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model that the model error is in."""
    (tmp_path / MODEL).write_text("class Ring(Model):\n\n    def pass_on(self, i):\n        self.token[i + 1] = True\n")
    linecache.clearcache()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_report_is_as_in_its_golden_file(name: str) -> None:
    assert_golden(f"reports/{name}.txt", render(EXAMPLES[name]) + "\n")


def test_a_report_fits_a_narrow_terminal() -> None:
    assert_golden("reports/safety_narrow.txt", render(safety(), 44) + "\n")


@pytest.mark.parametrize("name", EXAMPLES)
def test_colours_are_all_that_a_terminal_adds(name: str) -> None:
    in_colour = coloured(report(EXAMPLES[name], 100))
    assert "\x1b[" in in_colour
    bare = re.sub(r"\x1b\[[0-9;]*m", "", in_colour)
    assert [line.rstrip() for line in bare.splitlines()] == render(EXAMPLES[name], 100).splitlines()


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_plain_report_has_no_escape_codes(name: str) -> None:
    assert "\x1b" not in render(EXAMPLES[name])


def test_a_verdict_prints_as_its_report() -> None:
    assert str(holds()) == render(holds())


def test_the_first_line_is_the_verdict() -> None:
    assert render(safety()).splitlines()[0] == headline(safety())
    assert headline(safety()) == "Peterson(n=2, fair=True): violated — mutual_exclusion is false after 5 steps"


@pytest.mark.parametrize("width", [40, 60, 79, 120])
def test_the_run_stays_within_the_width(width: int) -> None:
    run = render(safety(), width).split("Counterexample")[1]
    assert max(map(len, run.splitlines())) <= width


def test_a_violation_in_the_initial_state_takes_no_steps() -> None:
    verdict = violated(run([], {"turn": 0}), FALSE)
    assert headline(verdict).endswith("mutual_exclusion is false in the initial state")
    assert "initial and final state" in render(verdict)


def test_the_reason_for_no_answer_is_said_once() -> None:
    assert render(EXAMPLES["interrupted"]).count("was interrupted") == 1


def test_a_property_that_a_reduction_leaves_open_is_the_reason_for_no_answer() -> None:
    caveats = (Caveat("must-with-stubborn-sets", "cycles may be missing"), Caveat("trusted-rules", "rules are trusted"))
    verdict = replace(holds(), answer=Answer.UNDECIDED, caveats=caveats)
    assert "undecided — cycles may be missing (468 states" in headline(verdict)
    assert "! rules are trusted" in render(verdict)


def test_a_caveat_is_never_hidden_from_a_verdict_that_holds() -> None:
    verdict = replace(holds(), caveats=(Caveat("no-terminal", "deadlocks were not looked for"),))
    assert headline(verdict).endswith("(1 caveat)")
    assert "! deadlocks were not looked for" in render(verdict)


def test_a_verdict_without_properties_says_so() -> None:
    assert "no property was checked" in render(replace(holds(), checked=()))


def test_a_message_of_several_lines_keeps_the_headline_one_line() -> None:
    violation = replace(FALSE, message="both\nare \x1b[31mcritical")
    assert "\n" not in headline(violated(lasso_steps(), violation))
    assert "both are critical after 3 steps" in headline(violated(lasso_steps(), violation))


def test_a_fold_keeps_the_step_where_progress_is_lost() -> None:
    text = render(lasso_of_a_hundred())
    assert "── from here on served can be avoided for ever ──" in text
    assert "tick(50)" in text
    assert "tick(49)" not in text


def lasso_of_a_hundred() -> Verdict:
    found = long_run().counterexample
    assert found
    return replace(
        long_run(),
        violation=Violation("must-progress", "served", "served never holds"),
        counterexample=replace(found, progress_lost_at=50, cycle_starts_at=70),
    )


def test_a_fold_within_the_cycle_stays_within_its_bracket() -> None:
    lines = render(lasso_of_a_hundred()).splitlines()
    begins = lines.index("┌ the cycle: repeats for ever")
    assert lines[begins - 3].startswith("    70  tick(70)")
    assert lines[-1] == "└ back to step 70"
    assert all(line.startswith("│ ") for line in lines[begins + 1 : -1])
    assert any("steps not shown" in line for line in lines[begins:])


def test_a_run_that_only_goes_round_has_no_steps_before_its_cycle() -> None:
    found = lasso().counterexample
    assert found
    text = render(replace(lasso(), counterexample=replace(found, progress_lost_at=0, cycle_starts_at=0)))
    assert "Counterexample: a cycle of 3 steps\n" in text


def test_the_bytes_for_a_state_are_told_of_many_states_only() -> None:
    assert "bytes per state" not in render(replace(holds(), states=9_999))
    assert "17.2 bytes per state" in render(replace(holds(), states=10_000))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"audit": 1}, "audit 1"),
        ({"threads": 1, "dl_not_may": True}, "dl-not-may"),
        ({"threads": 4, "termination": False}, "threads 4"),
        ({"stubborn": "hand", "symmetry": "off"}, "stubborn hand"),
    ],
)
def test_only_settings_that_were_asked_for_are_told(settings: dict[str, Value], told: str) -> None:
    assert render(replace(holds(), settings=settings)).splitlines()[-1] == f"  with    {told}"


def test_a_run_of_sixty_steps_is_shown_whole() -> None:
    verdict = violated(run([(f"tick({i})", {"turn": i}) for i in range(1, 61)], {"turn": 0}), FALSE)
    assert "not shown" not in render(verdict)


def test_a_source_file_that_is_gone_costs_only_the_excerpt(tmp_path: Path) -> None:
    (tmp_path / MODEL).unlink()
    linecache.clearcache()
    assert f"{MODEL}:4:9" in render(model_error())
