"""What a process means: `yield` ends a step, points are named by lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import MODELS
from process_texts import HEAD, line, loaded, points, program_of, variables, verdict_of

from asset import check
from asset.errors import AssetError
from asset.frontends.python import compile_model, load
from asset.ir.types import bit_width

# --- steps --------------------------------------------------------------------------------------------------------

TWO_STEPS = """\
    @process
    def p(self):
        self.x = 1
        yield
        self.x = 2
"""


def test_a_yield_ends_an_atomic_step_and_so_does_the_end(tmp_path: Path) -> None:
    verdict = verdict_of(tmp_path, TWO_STEPS)
    assert (verdict.states, verdict.edges, verdict.terminal_states) == (3, 2, 1)


def test_points_are_named_by_the_line_that_runs_next(tmp_path: Path) -> None:
    program = program_of(tmp_path, TWO_STEPS)
    first, second = line(TWO_STEPS, "self.x = 1"), line(TWO_STEPS, "self.x = 2")
    assert points(program) == [f"line {first}", f"line {second}", "finished"]
    assert [f.name for f in program.families] == [f"p@{first}", f"p@{second}"]
    assert [f.span.line for f in program.families] == [first, second]


def test_points_with_the_same_future_are_one(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        while True:
            self.flag = not self.flag
            yield
            if self.flag:
                self.x = 1
                yield
            else:
                self.x = 0
                yield
"""
    program = program_of(tmp_path, members)
    begin, middle = line(members, "not self.flag"), line(members, "if self.flag")
    assert points(program) == [f"line {begin}", f"line {middle}"]


def test_a_match_whose_last_case_takes_all_is_left_by_its_cases(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        while True:
            match choose(range(3)):
                case 0:
                    self.x = 1
                    yield
                case _:
                    self.x = 2
                    yield
"""
    verdict = verdict_of(tmp_path, members)
    assert (verdict.states, verdict.edges) == (3, 9)


def test_a_step_that_blocks_midway_changes_nothing(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        self.x = 1
        when(self.flag)
        self.x = 2
        yield
"""
    model = loaded(tmp_path, members)
    assert not model.p()
    assert model.x == 0
    model.flag = True
    assert model.p()
    assert model.x == 2


def test_a_step_that_runs_for_ever_is_a_model_error_with_its_line(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        yield
        while self.x < 7:
            if self.flag:
                yield
"""
    verdict = verdict_of(tmp_path, members)
    assert verdict.violation is not None
    assert verdict.violation.kind == "model-error"
    assert "does not end" in verdict.violation.message
    assert verdict.violation.span is not None
    assert verdict.violation.span.line == line(members, "while self.x < 7")


def test_processes_and_transitions_mix(tmp_path: Path) -> None:
    members = """\
    @process(i="n")
    def p(self, i):
        when(self.flag)
        self.a[i] = 7
        yield

    @transition
    def start(self):
        when(not self.flag)
        self.flag = True
"""
    program = program_of(tmp_path, members)
    assert [f.process for f in program.families] == ["p", "p", None]
    verdict = verdict_of(tmp_path, members)
    assert (verdict.states, verdict.terminal_states) == (1 + 9, 1)


def test_what_belongs_to_a_process_is_said_by_fields_not_by_names(tmp_path: Path) -> None:
    members = """\
    @process(i="range(1, 3)")
    def p(self, i):
        gate = choose(range(2))
        yield
        self.a[gate] = 7
"""
    program = program_of(tmp_path, members)
    assert [(f.process, f.process_ranges, f.choices) for f in program.families] == [
        ("p", ((1, 2),), 1),
        ("p", ((1, 2),), 0),
    ]
    owners = [v.owner for v in program.variables if v.owner is not None]
    assert [(own.process, own.local, own.firsts) for own in owners] == [("p", None, (1,)), ("p", "gate", (1,))]


def test_indices_need_not_begin_at_0(tmp_path: Path) -> None:
    members = """\
    @process(i="range(5, 7)")
    def p(self, i):
        self.x = i
        yield "here"

    @invariant
    def never_both(self):
        return not (self.at(self.p, 5, "here") and self.at(self.p, 6, "here"))
"""
    program = program_of(tmp_path, members)
    assert next(v for v in program.variables if v.name == "p.at").dims == (2,)
    verdict = verdict_of(tmp_path, members)
    assert verdict.violation is not None
    assert verdict.violation.property == "never_both"
    assert "p 6: line" in str(verdict)


# --- choices, helpers, labels -------------------------------------------------------------------------------------


def test_each_alternative_is_a_transition(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        self.x = choose(1, 3, 5)
        yield
        self.x = choose(self.x, 0)
        yield
        self.a[0] = choose(range(self.n))
"""
    verdict = verdict_of(tmp_path, members)
    assert (verdict.states, verdict.edges) == (1 + 3 + 4 + 8, 3 + 6 + 8)


def test_a_choice_that_is_not_come_to_makes_no_transitions(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        if choose(True, False):
            self.x = choose(range(2, 7))
        yield
        self.x = 0
"""
    verdict = verdict_of(tmp_path, members)
    assert (verdict.states, verdict.edges) == (1 + (5 + 1) + 1, (5 + 1) + 6)


def test_choices_on_paths_that_exclude_each_other_share_an_index(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        while True:
            match self.x:
                case 0:
                    self.x = choose(range(4))
                case 1:
                    self.x = choose(range(3))
                    self.flag = choose(True, False)
                case _:
                    self.x = choose(range(2)) + (1 if choose(True, False) else 0)
            yield
"""
    program = program_of(tmp_path, members)
    assert [family.size for family in program.families] == [8]  # 4 by 2, not 4 by 3 by 2 by 2 by 2
    verdict = verdict_of(tmp_path, members)
    edges = {(0, False): 4, (0, True): 4, **{(x, flag): 6 if x == 1 else 4 for x in (1, 2, 3) for flag in (0, 1)}}
    assert (verdict.states, verdict.edges) == (8, sum(edges.values()))


def test_an_object_chooses_by_the_index_that_its_choices_share(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        while True:
            if self.flag:
                self.x = choose(range(2))
            else:
                self.x = choose(range(4))
            self.flag = not self.flag
            yield
"""
    model = loaded(tmp_path, members)
    assert model.p(choices=(3,)) and model.x == 3  # type: ignore[attr-defined]
    assert not model.p(choices=(3,))  # type: ignore[attr-defined]  # there are two alternatives now
    assert model.p(choices=(1,)) and model.x == 1  # type: ignore[attr-defined]


def test_the_docstring_of_a_helper_process_is_no_point(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        while True:
            yield from self.change()

    def change(self):
        \"\"\"Changes it.\"\"\"
        while True:
            self.flag = not self.flag
            yield
"""
    assert len(points(program_of(tmp_path, members))) == 1


def test_a_choice_among_nothing_blocks(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        if choose(True, False):
            self.x = choose(range(self.n - 2))
        else:
            self.x = 7
        yield
"""
    verdict = verdict_of(tmp_path, members)
    assert (verdict.states, verdict.edges) == (3, 2)


def test_a_helper_process_stands_where_it_is_called(tmp_path: Path) -> None:
    members = """\
    def wait(self, k, most=2):
        for m in range(most):
            yield
            if self.a[m] == k:
                return m
        return 7

    @process(i="n")
    def p(self, i):
        self.x = yield from self.wait(2)
        yield
        found = yield from self.wait(self.x, most=1)
        self.a[2] = found
"""
    verdict = verdict_of(tmp_path, members)
    assert verdict.holds
    model = loaded(tmp_path, members)
    for _ in range(3):
        assert model.p(0)
    assert model.x == 1  # a[1] == 2, at the second look


def test_labels_tell_properties_where_a_process_is(tmp_path: Path) -> None:
    members = """\
    @process(i="n")
    def p(self, i):
        yield "waiting"
        yield "critical"

    @invariant
    def one_at_most(self):
        return sum(self.at("p", i, "critical") for i in range(self.n)) <= 1
"""
    verdict = verdict_of(tmp_path, members)
    assert verdict.violation is not None
    assert verdict.violation.property == "one_at_most"
    text = str(verdict)
    assert "p 1: waiting (line" in text
    assert "→ critical (line" in text


def test_a_process_that_has_returned_is_finished(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        while not self.flag:
            self.flag = choose(True, False)
            yield

    @terminal
    def over(self):
        return self.at(self.p, "finished")
"""
    assert verdict_of(tmp_path, members).holds


def test_a_process_can_wait_for_a_message(tmp_path: Path) -> None:
    members = """\
    @process
    def sender(self):
        for k in range(3):
            self.wire.send(k)
            yield

    @process
    def receiver(self):
        while True:
            got = self.wire.receive()
            yield
            self.a[0] = got
            yield

    def state(self):
        self.a = Array(1, Int(0, 3))
        self.wire = Channel(Queue(2, Int(0, 3)))
"""
    assert variables(program_of(tmp_path, members))["receiver.got"] == 2
    verdict = verdict_of(tmp_path, members)
    assert verdict.terminal_states == 1


def test_a_recurrence_may_be_of_all_steps_of_a_process(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        while True:
            self.flag = not self.flag
            yield
            yield

    @process
    def q(self):
        while True:
            self.x = 1 - self.x
            yield

    fair = recurrent(p, then=q)
"""
    verdict = verdict_of(tmp_path, members)
    assert verdict.violation is not None
    assert verdict.violation.property == "fair"


# --- a model as an object -----------------------------------------------------------------------------------------


def test_a_process_of_an_object_makes_its_next_step(tmp_path: Path) -> None:
    members = """\
    @process(i="n")
    def p(self, i):
        self.x = choose(1, 2)
        yield "chosen"
        self.a[i] = self.x
"""
    model = loaded(tmp_path, members)
    with pytest.raises(TypeError, match="chooses"):
        model.p(1)
    assert model.p(1, choices=(2,))
    assert model.at(model.p, 1, "chosen")
    assert not model.at("p", 0, "chosen")
    assert model.p(1)
    assert model.a[1] == 2
    assert not model.p(1)
    assert model.at(model.p, 1, "finished")


def test_an_overridden_helper_process_is_that_of_the_class(tmp_path: Path) -> None:
    members = """\
    def wait(self):
        yield

    @process
    def p(self):
        yield from self.wait()
        self.x = 1

class Twice(M):
    def wait(self):
        yield
        yield
"""
    file = tmp_path / "m.py"
    file.write_text(HEAD + members)
    assert check(load(f"{file}:M"), engine="reference").states == 3
    assert check(load(f"{file}:Twice"), engine="reference").states == 4


# --- what is wrong ------------------------------------------------------------------------------------------------

WRONG = {
    "a_process_that_never_yields": ("@process\ndef p(self):\n    self.x = 1", "never yields"),
    "an_unbounded_local": (
        "@process\ndef p(self):\n    k = 0\n    while True:\n        k += 1\n        yield",
        "annotate",
    ),
    "a_local_without_value": (
        "@process\ndef p(self):\n    if self.flag:\n        k = 1\n    yield\n    self.x = k",
        "'k' may have no value here",
    ),
    "a_choice_in_a_loop": (
        "@process\ndef p(self):\n    for k in range(3):\n        self.a[k] = choose(0, 1)\n    yield",
        "choose is in a loop",
    ),
    "a_choice_that_may_not_be_made": (
        "@process\ndef p(self):\n    self.flag = self.x < 1 < choose(1, 2)\n    yield",
        "may not be evaluated",
    ),
    "a_yield_in_an_expression": ("@process\ndef p(self):\n    self.x = (yield)", "yield stands alone"),
    "a_label_that_is_no_text": ("@process\ndef p(self):\n    yield 3", "label"),
    "a_process_that_returns_a_value": ("@process\ndef p(self):\n    yield\n    return 3", "returns nothing"),
    "an_index_that_is_assigned": ('@process(i="n")\ndef p(self, i):\n    i = 1\n    yield', "its own index i"),
    "indices_that_differ": ("@process\ndef p(self, i):\n    yield", "p takes i, but @process gives no index"),
    "a_helper_that_is_none": ("@process\ndef p(self):\n    yield from self.x", "yield from takes a helper process"),
    "a_helper_that_calls_itself": (
        "def h(self):\n    yield from self.h()\n\n@process\ndef p(self):\n    yield from self.h()",
        "calls itself",
    ),
    "an_unknown_label": (
        '@process\ndef p(self):\n    yield "here"\n\n@invariant\ndef q(self):\n    return self.at(self.p, "hree")',
        "p has no label 'hree'; it has finished, here",
    ),
    "an_annotation_that_is_no_range": (
        "@process\ndef p(self):\n    k: int = 0\n    yield\n    self.x = k",
        "does not say which values 'k' takes",
    ),
    "a_loop_over_what_has_no_name": (
        "@process\ndef p(self):\n    for k in reversed(self.a):\n        yield",
        "a loop with a yield in it runs over a range",
    ),
    "a_choice_in_a_loop_of_a_transition": (
        "@transition\ndef t(self):\n    for k in range(2):\n        self.x = choose(1, 2)",
        "choose in a transition is made once, and not in a loop",
    ),
}


@pytest.mark.parametrize("name", sorted(WRONG))
def test_what_is_wrong_with_a_process_is_said_with_its_place(tmp_path: Path, name: str) -> None:
    text, message = WRONG[name]
    members = "\n".join("    " + t for t in text.splitlines()) + "\n"
    with pytest.raises(AssetError) as error:
        program_of(tmp_path, members)
    assert message in str(error.value)
    assert "m.py:" in str(error.value)
    assert "^" in str(error.value)


def test_a_process_in_the_asset_style_is_an_error(tmp_path: Path) -> None:
    members = """\
    def nr_transitions(self):
        return 1

    def fire_transition(self, t):
        return False

    @process
    def p(self):
        yield
"""
    with pytest.raises(AssetError, match="has both @process"):
        loaded(tmp_path, members)


def test_a_process_with_too_many_paths_is_an_error(tmp_path: Path) -> None:
    loop = "        while self.flag:\n            if self.x:\n                break\n            yield\n"
    with pytest.raises(AssetError, match="the steps of p have too many paths"):
        loaded(tmp_path, "    @process\n    def p(self):\n" + loop * 20)


def test_a_step_may_be_long(tmp_path: Path) -> None:
    members = "    @process\n    def p(self):\n" + "        self.x = 1\n" * 2000 + "        yield\n"
    assert loaded(tmp_path, members).p()


def test_only_numbers_are_kept_after_a_yield(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        row = self.a
        yield
        self.x = row[0]
"""
    with pytest.raises(AssetError, match="only numbers are kept: this is a Array"):
        loaded(tmp_path, members)


# --- figures ------------------------------------------------------------------------------------------------------


def bits(file: str, **parameters: int) -> int:
    program = compile_model(load(f"{MODELS / file}", {name: str(value) for name, value in parameters.items()}))
    return sum(bit_width(v.type) * v.cells for v in program.variables)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_peterson_as_processes_takes_no_more_bits_than_by_hand(n: int) -> None:
    by_hand = bits("peterson.py:Peterson", n=n)
    assert bits("peterson_processes.py:PetersonProcesses", n=n) <= by_hand
    assert bits("peterson_processes.py:PetersonLocals", n=n) < by_hand


def test_peterson_as_a_process_has_at_most_twenty_lines_of_algorithm() -> None:
    text = (MODELS / "peterson_processes.py").read_text().partition("class PetersonLocals")[2]
    body = text.partition("def customer(self, i):\n")[2].partition("\n\n")[0]
    assert len(body.splitlines()) <= 20


@pytest.mark.parametrize("n", range(8, 12))
def test_the_database_manager_has_n_times_3_to_the_n_minus_1_states_and_one(n: int) -> None:
    verdict = check(load(str(MODELS / "database_manager.py"), {"n": str(n)}), only=["safety"])
    assert verdict.states == n * 3 ** (n - 1) + 1
