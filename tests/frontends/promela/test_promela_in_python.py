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

CORPUS, TEXTBOOK = Path(__file__).parent / "corpus", Path(__file__).parent / "textbook"
COUNTS: dict[str, list[int]] = json.loads((CORPUS / "counts.json").read_text())
TEXTBOOK_COUNTS: dict[str, list[int]] = json.loads((TEXTBOOK / "counts.json").read_text())
"""The states, transitions and errors that SPIN 6.5.2 finds, without any reduction."""
EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "6"))
UNSAID = {
    "atomic_loop": "choices in a loop of an atomic sequence",
    "channel_argument": "a variable that names a rendezvous and a channel with room",
    "channels_of_two_types": "a variable that names both q and loc, which have other messages",
    "d_step_receiving": "unless that one of several options begins with",
    "enabled_process": "enabled(…), which looks at all processes",
    "goto_out_of_loops": "a loop that an option begins with, and that a jump leaves",
    "label_before_unless": "a jump into unless",
    "never_at_end": "a never claim",
    "never_atomic": "a never claim",
    "never_claim": "a never claim",
    "never_last": "a never claim",
    "never_local": "a never claim",
    "notrace_events": "a notrace",
    "priority_changed": "priorities of processes",
    "priority_order": "priorities of processes",
    "remote_first": "A without a number, the first of several processes that are run",
    "rendezvous_atomic_chain": "a process that receives by rendezvous, and sends by another one in the same step",
    "run_not_reached": "run S, which is never come to",
    "trace_order": "a trace",
    "two_rendezvous_kinds": "a variable that names a rendezvous and a channel with room",
    "unless_compound": "unless inside of unless",
    "unless_in_braces": "unless inside of unless",
    "unless_in_loop": "unless that one of several options begins with",
    "unless_inside_escape": "unless inside of unless",
    "unless_nested": "unless inside of unless",
    "unless_offering": "an escape that begins with a rendezvous",
    "unless_rendezvous": "an escape that begins with a rendezvous",
}
"""What processes do not say yet, by the models of the corpus."""

STEPS = ("unless_rendezvous", "never_claim", "rendezvous_atomic_chain")


def check_counts(file: Path, name: str) -> None:
    verdict = asset.check(load(ModelSpec(str(file))), only=["termination"], stubborn="off", symmetry="off")
    assert [verdict.states, verdict.edges] == COUNTS[name][:2]


@pytest.mark.parametrize("name", sorted(path.stem for path in CORPUS.glob("*.pml")))
def test_processes_in_python_have_the_same_states_and_edges(name: str, tmp_path: Path) -> None:
    text, why = load(ModelSpec(str(CORPUS / f"{name}.pml"))).in_python()
    assert (why and why.message) == UNSAID.get(name)
    assert why is None or why.remedy
    if text is not None:
        file = tmp_path / f"{name}.py"
        file.write_text(text)
        check_counts(file, name)


def test_each_model_of_the_textbook_has_its_counts() -> None:
    assert {file.stem for file in TEXTBOOK.glob("*.pml")} == set(TEXTBOOK_COUNTS)


@pytest.mark.parametrize("name", TEXTBOOK_COUNTS)
def test_models_in_the_style_of_textbooks_are_the_same_as_processes(name: str, tmp_path: Path) -> None:
    subject, made = load(ModelSpec(str(TEXTBOOK / f"{name}.pml"))), tmp_path / f"{name}.py"
    text, _ = subject.in_python()
    assert text is not None
    made.write_text(text)
    first, second = (
        asset.check(each, only=["termination"], stubborn="off", symmetry="off")
        for each in (subject, load(ModelSpec(str(made))))
    )
    assert (first.states, first.edges, first.answer) == (second.states, second.edges, second.answer)
    if first.holds:  # a model error ends the search
        assert [second.states, second.edges] == TEXTBOOK_COUNTS[name][:2]


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
    "an escape of what comes to its end": (
        "active [2] proctype A() { byte k; { k = 1; x++; k = 2 } unless { x == 1 -> k = 5; x = 0 }; k = 3 }"
    ),
    "an escape of a loop, in a loop": (
        "chan c = [1] of { byte };\nactive proctype A() { byte k;\n"
        "  do :: { do :: x < 3 -> x++ :: x > 1 -> x-- od } unless { c?k -> x = k } :: x == 9 -> break od }\n"
        "active proctype B() { c!0; if :: c!9 :: c!2; c!1 fi }"
    ).replace("do :: { do", "do :: x < 5; { do"),
    "an escape that a choice begins, of an atomic sequence": (
        "active [2] proctype A() { byte k;\n"
        "  { atomic { k = 1; x == 2; k = 2 }; x = 3 } unless { if :: x == 1 -> k = 7 :: x > 2 -> x = 0 fi; k = 8 } }\n"
        "active proctype B() { do :: x < 3 -> x++ :: x == 3 -> break od }"
    ),
    "an escape and a timeout": (
        "active proctype A() { { do :: x < 2 -> x++ od } unless { timeout -> x = 7 }; x = 8 }\n"
        "active proctype B() { do :: x == 1; x = 5 :: timeout -> break od }"
    ).replace("unless { timeout -> x = 7 }", "unless { x == 5 -> x = 7 }"),
    "clauses that say when steps may be taken": (
        "chan c = [0] of { byte };\nbyte y;\n"
        "active [2] proctype A() provided (x != _pid) { byte k; do :: atomic { x++; y++; x == 2 -> x-- } :: c?k od }\n"
        "active proctype B() provided (y < 3) { atomic { c!1; x = 0 }; if :: x = 1 :: c!2 fi; y = 0 }"
    ),
    "a process that jumps, and is run again": (
        "proctype R(byte y) { byte k = 1; do :: x > 0 -> k = x; goto out :: y > k -> goto out od; out: x < 3; x = k }\n"
        "init { run R(2); _nr_pr == 1; run R(0); x = 1; _nr_pr == 1 -> run R(3) }"
    ),
    "a rendezvous that is never full, in an atomic sequence": (
        "chan c = [0] of { bit };\nactive [2] proctype A() { atomic { x++; nfull(c); x++ }; timeout; x = 0 }"
    ),
    "channels of several capacities": (
        "chan a = [1] of { byte }; chan b = [3] of { byte };\n"
        "proctype P(chan to; byte n) { do :: n > 0; to!n; n-- :: full(to) -> break :: else -> break od }\n"
        "active proctype Q() { chan k; do :: k = a :: k = b; if :: k?x :: nfull(k) -> k!9; break fi od }\n"
        "init { run P(a, 2); run P(b, 4) }"
    ),
    "names of channels that are assigned to": (
        "chan a = [1] of { byte }; chan b = [1] of { byte };\n"
        "active proctype P() { chan t; a!1; t = a; a = b; b = t; a!2; t?x; b?x; a?x }"
    ),
    "channels in structures": (
        "typedef Box { chan c = [1] of { byte }; byte n = 4 }; Box g[2];\n"
        "proctype P(byte k) { Box own; own.c!own.n; own.c?own.n; g[k].c!own.n + k; g[1 - k].c?own.n; x = own.n }\n"
        "init { run P(0); run P(1); g[0].c = g[1].c }"
    ),
    "jumps with labels that mean places": (
        "active [2] proctype A() { l: do :: x < 3 -> x++; progress: goto l :: x == 3 -> end: break od; x = 0 }"
    ),
    "a process that begins with a jump": (
        "active proctype A() { goto b; a: x = 1; goto c; b: x = 2; goto a; c: x == 3 }\n"
        "active proctype B() { goto b; a: x = 4; b: if :: x > 1 -> goto a :: x == 1 fi }"
    ),
    "breaks beside jumps": (
        "active proctype A() { byte k; l: do :: k < 3 -> k++;\n"
        "  if :: k == 2 -> goto l :: k == 3 -> x = 1; break :: else fi; m: x++\n"
        "  :: x > 4 -> break :: k == 3 -> goto m od; x = 7 }"
    ),
    "channels of processes that end": (
        "chan desk = [0] of { chan };\n"
        "active [2] proctype A() { chan mine[2] = [1] of { byte }; byte k;\n"
        "  desk!mine[_pid]; if :: mine[_pid]?k :: skip fi }\n"
        "active proctype B() { chan one, two; desk?one; desk?two; one!1; two!2 }"
    ),
    "whether a message is taken, as the receiver's variables say": (
        "chan c[2] = [0] of { byte, byte };\n"
        "active [2] proctype A() { byte k = 1; do :: c[k]?eval(k),x -> k = 1 - k od }\n"
        "active proctype B() { byte n; do :: n < 3 -> if :: c[n % 2]!(n > 1 -> 1 : n),n :: else -> n++ fi; n++ od }"
    ),
    "places that wait for the same, and for more": (
        "chan c = [0] of { byte };\n"
        "active [2] proctype Q() { byte k; c?k; do :: c?k :: k > 2 -> timeout; k = 0 od }\n"
        "active proctype S() { c!1; c!3; c!4; c!1 }"
    ),
    "the first of several processes": (
        "active [2] proctype P() { byte k; l: k = 3; k = 4 }\nactive proctype Q() { P@l; x = P:k; P:k == 4; x++ }"
    ),
    "processes that run processes": (
        "chan up = [3] of { byte };\nproctype P(byte n) { byte k;\n"
        "  if :: n > 1 -> run P(n - 1); up?k; up!k + n :: else -> up!1 fi }\ninit { run P(3); up?x }"
    ),
    "a channel that there never is": "chan c; active proctype P() { if :: x == 1 -> c!1 :: x = 2 fi }",
    "truths and constants of mtypes": (
        "mtype = { none, red, blue }; mtype m; chan c = [2] of { mtype, bool, byte };\n"
        "active [2] proctype A() { bool b; mtype k; byte n; n = b + x; b = n + 1; c!blue(b, n); c?k,b,n; m = k;\n"
        "  if :: b == 1 && m != none -> m = 0 :: b != n -> x = b :: else fi }"
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
        assert (text is None) == (why is not None)
        if text is not None:
            made.write_text(text)
            assert counted(made) == counted(file), f"seed {seed}"
            compared += 1
    assert compared >= 0.6 * EXAMPLES


def test_what_processes_cannot_say_is_told_with_its_place_and_a_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", str(CORPUS / "never_claim.pml")]) == 0
    told = capsys.readouterr()
    head = told.out.split("from enum")[0]
    assert "Each step is a transition" in head and "a never claim, " in head and "never_claim.pml:3:1" in head
    assert "never_claim.pml:3:1: note: a never claim" in told.err and "-D _claim=off" in told.err
    assert "written as a transition" in told.err


def test_without_its_claim_a_model_is_written_as_processes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", str(CORPUS / "never_claim.pml"), "-D", "_claim=off"]) == 0
    told = capsys.readouterr()
    assert "@process" in told.out and not told.err


UNPLACED = {
    "a jump in an escape": (
        "active proctype A() { do :: { x++; x++ } unless { x > 1 -> break } od }",
        "m.pml:2:60: note: a jump out of an escape of what may come to its end",
    ),
    "a jump out of what may be escaped": (
        "active proctype A() { l: x++; { x++; goto l } unless { x > 9 -> skip } }",
        "m.pml:2:38: note: a jump out of what may be escaped by unless",
    ),
    "an option of several in an atomic sequence that receives": (
        "chan c = [0] of { bit };\nactive proctype A() { atomic { x++; if :: c?1 :: x > 2 fi } }\n"
        "active proctype B() { c!1 }",
        "m.pml:3:43: note: a receive by rendezvous as one of several options inside of an atomic sequence",
    ),
    "a number as a channel": (
        "chan c = [1] of { byte };\nactive proctype A() { chan k = c; k = x; k!1 }",
        "m.pml:3:39: note: a number as a channel",
    ),
}


@pytest.mark.parametrize(("body", "said"), UNPLACED.values(), ids=UNPLACED)
def test_each_reason_is_a_place_in_the_model(
    body: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.pml"
    file.write_text(f"byte x;\n{body}\n")
    assert main(["translate", str(file), "-o", str(tmp_path / "m.py")]) == 0
    assert said in capsys.readouterr().err
    assert "@transition" in (tmp_path / "m.py").read_text()


def test_a_model_that_needs_more_processes_says_so(tmp_path: Path) -> None:
    file, made = tmp_path / "more.pml", tmp_path / "more.py"
    file.write_text("proctype P() { run P() }\ninit { run P() }\n")
    assert main(["translate", str(file), "-D", "_processes=4", "-o", str(made)]) == 0
    verdict = asset.check(load(ModelSpec(str(made))))
    assert verdict.violation is not None and "-D _processes" in str(verdict)


READ = {
    "truths": (
        "bool b; active proctype A() { b = x > 1; !b && b == false; b = x }",
        ["self.b = False", "self.b = self.x > 1", "when(not self.b and not self.b)", "self.b = self.x % 2 == 1"],
    ),
    "constants of an mtype": (
        "mtype = { red, blue }; mtype m = red; chan c = [1] of { mtype, bool };\n"
        "active proctype A() { bool b; c!m(true); c?m(b); m == blue }",
        ["none = 0", "self.m = Mtype.red", "Queue(1, (Mtype, bool))", "self.m, self.b = self.c.get()"],
    ),
    "an escape": (
        "active proctype A() { { x = 1; x = 2 } unless { x == 7 -> x = 0 }; x = 3 }",
        ["yield from self.A_main()", "if self.x == 7:", "yield from self.A_escape()", "return"],
    ),
    "a loop that is only escaped": (
        "active proctype A() { do :: { do :: x = 1 - x od } unless { x == 1 -> break } od }",
        ["yield from self.A_main()", "if self.x == 1:"],
    ),
    "provided": ("active proctype A() provided (x == 0) { x = 1 }", ["when(self.x == 0)"]),
    "conditions in several lines": (
        "active proctype A() { byte abcdefgh, ijklmnop;\n"
        "  abcdefgh == 1 && ijklmnop == 2 || abcdefgh == 3 && ijklmnop == 4 || abcdefgh == 5 && ijklmnop == 6 }",
        ["when(", "(self.abcdefgh == 1 and self.ijklmnop == 2)", "or (self.abcdefgh == 5 and self.ijklmnop == 6)", ")"],
    ),
    "known values": ("#define N 3\nactive proctype A() { for (x : 0 .. N - 1) { skip } }", ["if self.x <= 2:"]),
    "formulas": (
        "active proctype A() { x = 1 }\nltl p { [] ((x == 0) || !(x == 1)) }\nltl q { [] (x > 0 -> <> (x > 1)) }",
        ["return self.x == 0 or self.x != 1", "return always(implies(self.x > 0, eventually(self.x > 1)))"],
    ),
    "the end of a loop": (
        "active proctype A() { l: if :: x > 0 -> x = 0; goto l :: else -> x = 1; goto l fi }",
        ["while True:", "self.x = 0", "yield", "else:"],
    ),
}


@pytest.mark.parametrize(("body", "lines"), READ.values(), ids=READ)
def test_what_is_written_reads_as_python(body: str, lines: list[str], tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text(f"byte x;\n{body}\n")
    text, _ = load(ModelSpec(str(file))).in_python()
    assert text is not None
    for line in lines:
        assert line in [each.strip() for each in text.splitlines()] or line in text, text
    assert "continue" not in text and "int(self.b)" not in text


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
