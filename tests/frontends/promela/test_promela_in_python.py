"""`asset translate model.pml` writes the same model in Python: as many states and edges, and the same verdict.

ASSET_EXAMPLES=1000 compares so many random models with what they are as processes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import asset
from asset.cli.main import main
from asset.languages import ModelSpec, load
from tests.frontends.promela.test_random_promela import counted
from tests.support.random_promela import meeting_model, plain_model

CORPUS = Path(__file__).parent / "corpus"
COUNTS: dict[str, list[int]] = json.loads((CORPUS / "counts.json").read_text())
EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "6"))
UNSAID = {
    "atomic_loop": "choose is in a loop that a step runs as a whole",
    "channel_argument": "variables that name channels of different capacities or messages",
    "channel_as_value": "channels of processes that end, which others name",
    "channel_reassigned": "variables that name channels of different capacities or messages",
    "channels_in_fields": "channels in structures",
    "channels_of_two_types": "variables that name channels of different capacities or messages",
    "enabled_process": "what looks at other processes (timeout, enabled)",
    "goto_out_of_loops": "a loop that an option begins with, beside jumps",
    "label_before_unless": "unless",
    "labelled_jumps": "labels of jumps",
    "never_at_end": "never claims and traces",
    "never_atomic": "never claims and traces",
    "never_claim": "never claims and traces",
    "never_last": "never claims and traces",
    "never_local": "never claims and traces",
    "notrace_events": "never claims and traces",
    "priority_changed": "provided and priorities",
    "priority_order": "provided and priorities",
    "processes_beyond_count": "a number of processes that was given or assumed",
    "provided_clause": "provided and priorities",
    "remote_first": "remote references to the first of several processes",
    "rendezvous_atomic_chain": "this step has met another one already",
    "run_not_reached": "a run that is never come to",
    "trace_order": "never claims and traces",
    "two_rendezvous_kinds": "variables that name channels of different capacities or messages",
    "unless_atomic": "unless",
    "unless_atomic_end": "unless",
    "unless_compound": "unless",
    "unless_escape": "unless",
    "unless_in_braces": "unless",
    "unless_in_loop": "unless",
    "unless_inside_escape": "unless",
    "unless_nested": "unless",
    "unless_offering": "unless",
    "unless_rendezvous": "unless",
}
"""What processes do not say yet, by the models of the corpus."""

STEPS = ("unless_rendezvous", "never_claim", "rendezvous_atomic_chain")


def check_counts(file: Path, name: str) -> None:
    verdict = asset.check(load(ModelSpec(str(file))), only=["termination"], stubborn="off", symmetry="off")
    assert [verdict.states, verdict.edges] == COUNTS[name][:2]


@pytest.mark.parametrize("name", sorted(path.stem for path in CORPUS.glob("*.pml")))
def test_processes_in_python_have_the_same_states_and_edges(name: str, tmp_path: Path) -> None:
    text, why = load(ModelSpec(str(CORPUS / f"{name}.pml"))).in_python()
    assert why == UNSAID.get(name, "")
    if text is not None:
        file = tmp_path / f"{name}.py"
        file.write_text(text)
        check_counts(file, name)


@pytest.mark.parametrize("name", STEPS)
def test_a_transition_for_each_step_has_the_same_states_and_edges(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.py"
    assert main(["translate", str(CORPUS / f"{name}.pml"), "-o", str(file)]) == 0
    assert "@process" not in file.read_text()
    check_counts(file, name)


def test_properties_are_translated(tmp_path: Path) -> None:
    file, made = tmp_path / "lamp.pml", tmp_path / "lamp.py"
    body = "byte x;\nactive proctype p() { end: do :: x == 0 -> x = 1 :: x == 1 -> x = 0 od }\n"
    file.write_text(
        f"{body}ltl small {{ [] (x < 2) }}\nltl again {{ [] <> (x == 1) }}\nltl stays {{ <> [] (x == 1) }}\n"
    )
    assert main(["translate", str(file), "-o", str(made)]) == 0
    verdict = asset.check(load(ModelSpec(str(made))))
    assert verdict.violation is not None and verdict.violation.property == "stays"


SAME = {
    "a step that changes nothing": "active proctype A() { do :: true od }\nactive proctype B() { x = 1; x == 2 }",
    "places with the same future": (
        'active proctype A() { printf("a"); if :: x == 0 -> skip :: else -> printf("a") fi; if :: true; 1 :: 1; 1 fi }'
    ),
    "a jump to what an option goes on with": (
        "active [2] proctype A() { C1: if :: x < 9; C2: if :: x > 5 -> goto C2 :: else -> x++; goto C1 fi :: else fi }"
    ),
    "such a step beside a rendezvous": (
        "chan c = [0] of { bit };\nactive proctype A() { c!1; do :: x == 0 od }\nactive proctype B() { c?1; x == 2 }"
    ),
    "a rendezvous with one of several": (
        "mtype = { want, done }; chan c = [0] of { mtype, byte };\n"
        "active [2] proctype A() { byte k; do :: c!want(_pid) :: c?done(k) -> break od }\n"
        "active proctype B() { byte who; end: do :: c?want(who) -> x = who; if :: c!done,7 :: skip fi od }"
    ),
    "a rendezvous for what a variable says": (
        "chan c[2] = [0] of { byte };\nactive proctype A() { do :: x < 4 -> x++; c[x % 2]!x :: c[1]!9 od }\n"
        "active proctype B() { byte k = 3; do :: c[k % 2]?eval(k) :: c[1]?k; k = k % 3 od }"
    ),
    "a sender that asks whether it is heard": (
        "chan c = [0] of { byte, bit };\nactive [2] proctype A() { do :: atomic { x < 3 -> x++; c!x,1; x-- } od }\n"
        "active proctype B() { byte k; do :: c?2,1 :: c?k,1 -> k = 0 :: atomic { c?3,_; x = 0 } od }"
    ),
    "channels of rendezvous in messages": (
        "chan desk = [0] of { byte, chan };\n"
        "active proctype Server() { chan back; byte k; end: do :: desk?k,back -> back!k + 1 od }\n"
        "active [2] proctype Client() { chan mine = [0] of { byte }; byte k; do :: desk!_pid,mine; mine?k; x = k od }"
    ),
    "a rendezvous of a variable that names no channel": (
        "chan c = [0] of { byte };\nactive proctype P() { chan k; if :: k = c :: skip fi; k!1 }\n"
        "active proctype Q() { c?x }"
    ),
    "claimed rendezvous": (
        "chan a = [0] of { byte }; chan b = [0] of { byte };\n"
        "proctype P(chan in, out) { xr in; xs out; byte k; in?k; out!k }\nproctype Q() { x == 1 -> b!1 }\n"
        "init { byte k; if :: run P(a, b) :: run P(a, b); run P(a, a) :: run Q(); run P(a, b) fi; a!1; x = 1; b?k }"
    ),
    "a timeout of one of several": (
        "chan c = [0] of { bit }; chan d = [1] of { bit };\n"
        "active [2] proctype A() { do :: c!1; x++; d!1 :: timeout; x > 2 -> x = 0 :: timeout && x < 3; x++ od }\n"
        "active proctype B() { byte k; end: do :: x < 5; c?k; d?k :: d?k -> x = x % 2 od }"
    ),
    "a timeout where processes are run": (
        "chan c = [1] of { byte };\nproctype P(byte k) { c!k; do :: k < 3 -> k++ :: timeout -> break od; x = x + k }\n"
        "init { run P(1); run P(2); timeout; c?x; (_nr_pr == 1) || timeout; if :: timeout -> x = 7 :: x == 5 fi }"
    ),
    "a timeout of each that waits in turn": (
        "active [3] proctype P() { byte k; atomic { x == _pid -> k = 1 };\n"
        "  timeout -> x = x + k; if :: timeout :: x == 3 fi }"
    ),
    "progress": "active proctype A() { do :: x == 0 -> x = 1; progress: x = 0 :: x == 0 od }",
    "progress in the beginning": "active proctype A() { progress: do :: x < 2 -> x++; x++ :: else -> x = 0; x = 1 od }",
    "acceptance": "active [2] proctype A() { do :: x == 0 -> x = 1; accept: x = 0 od }",
    "a remote label": "active [2] proctype P() { end: do :: x < 2; x++; cs: assert(!(P[0]@cs && P[1]@cs)); x-- od }",
    "a remote label in a formula": (
        "active [2] proctype P() { do :: atomic { x == 0 -> x = 1 }; cs: x = 0 od }\n"
        "ltl one { [] !(P[0]@cs && P[1]@cs) }\nltl again { [] <> P[0]@cs }"
    ),
    "a remote variable": "active proctype P() { byte k; k = 2; k = 3 }\nactive proctype Q() { P:k == 3 -> x = P:k }",
    "channels of parameters": (
        "chan a = [1] of { byte }; chan b = [1] of { byte }; chan c = [2] of { bit };\n"
        "proctype P(chan in, out) { byte k; chan other = out; do :: in?k; x = x + k; other!k :: c?1 -> break od }\n"
        "init { run P(a, b); run P(b, a); a!3; x > 8 -> c!1; c!1 }"
    ),
    "channels that variables name in turn": (
        "chan q[2] = [1] of { byte };\n"
        "active proctype P() { chan to = q[0]; byte k; do :: k < 3; to!k; to = q[1 - k % 2]; k++ :: else; break od }\n"
        "active proctype Q() { chan here; if :: here = q[0] :: here = q[1] fi; if :: here == q[1]; here?x :: else fi }"
    ),
    "channels in messages": (
        "chan desk = [2] of { byte, chan };\n"
        "active proctype Server() { chan back; byte k; end: do :: desk?k,back -> back!k + 1 od }\n"
        "proctype Client(byte me) { chan mine = [1] of { byte }; byte k; desk!me,mine; mine?k; x = x + k }\n"
        "init { run Client(1); run Client(2); _nr_pr == 2 -> assert(x == 5) }"
    ),
    "a channel of a process that has ended": (
        "chan desk = [1] of { chan };\nactive proctype Server() { chan back; desk?back; _nr_pr == 1 -> back!1 }\n"
        "proctype Client() { chan mine = [1] of { byte }; desk!mine }\ninit { run Client() }"
    ),
    "no channel": "chan c = [1] of { byte };\nactive proctype P() { chan k; if :: k = c :: skip fi; k!1 }",
    "claimed channels": (
        "chan a = [1] of { byte }; chan b = [1] of { byte };\n"
        "proctype P(chan in, out) { xr in; xs out; byte k; in?k; out!k }\n"
        "proctype Q() { xs b; x == 1 -> b!1 }\n"
        "init { if :: run P(a, b); run P(b, a) :: run P(a, b); run P(a, a) :: run Q(); run P(a, b) fi; a!1; x = 1 }"
    ),
    "processes whose numbers variables have": (
        "proctype C(byte k) { byte n = k; n++; mid: x = n; skip }\n"
        "init { pid a, b; atomic { a = run C(3); b = run C(7) }; C[a]@mid && !C[b]@mid; x = C[a]:n + C[b + 1]:n }"
    ),
    "conditions that exclude each other": (
        "byte a[3];\nproctype P(byte k) { a[k] = k }\n"
        "init { byte i; atomic { do :: i < 3 -> run P(i); i++ :: i >= 3 -> break od }\n"
        "  if :: x == 1 :: x == 0; x = 2 :: x > 1 fi; i = 0; do :: a[i] == 0 -> i++ :: a[i] != 0 -> break od }"
    ),
    "arguments that do not fit": (
        "proctype P(byte a; bool b) { x = a + b }\ninit { run P(300, 5); _nr_pr == 1 -> assert(x == 45) }"
    ),
}


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_the_model_in_python_has_the_same_answers(body: str, tmp_path: Path) -> None:
    file, made = tmp_path / "m.pml", tmp_path / "m.py"
    file.write_text(f"byte x;\n{body}\n")
    assert main(["translate", str(file), "-o", str(made)]) == 0
    assert "@process" in made.read_text()
    first, second = (asset.check(load(ModelSpec(str(each))), keep_going=True) for each in (file, made))
    assert (first.states, first.edges, first.answer) == (second.states, second.edges, second.answer)
    assert [each.answer for each in first.checked] == [each.answer for each in second.checked]


@pytest.mark.parametrize("writer", [plain_model, meeting_model])
def test_random_models_are_the_same_as_processes(writer: Callable[[int], str], tmp_path: Path) -> None:
    compared = 0
    for seed in range(EXAMPLES):
        file, made = tmp_path / f"model{seed}.pml", tmp_path / f"model{seed}.py"
        file.write_text(writer(seed))
        text, why = load(ModelSpec(str(file))).in_python()
        assert (text is None) == bool(why)
        if text is not None:
            made.write_text(text)
            assert counted(made) == counted(file), f"seed {seed}"
            compared += 1
    assert compared >= 0.6 * EXAMPLES


def test_what_processes_cannot_say_is_told_in_the_head_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", str(CORPUS / "unless_escape.pml")]) == 0
    head = capsys.readouterr().out.split("from enum")[0]
    assert "Each step is a transition" in head and "unless" in head


def test_names_and_comments_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lamp.pml"
    file.write_text(
        "byte lit; /* how many */\n// A switch.\nactive proctype Switch() {\n"
        "  do\n  :: lit < 2 -> lit++ // on\n  :: else -> break\n  od\n}\n"
    )
    assert main(["translate", str(file)]) == 0
    text = capsys.readouterr().out
    for line in ("self.lit = Int(0, 255)  # how many", "# A switch.", "def Switch(self):", "if self.lit < 2:"):
        assert line in text
