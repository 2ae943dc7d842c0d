"""Runs as SPIN tells them: trail files that SPIN 6.5.2 wrote are followed, and runs are printed as it prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from asset.cli.main import main
from asset.errors import UsageError
from asset.ir.faults import FaultKind
from asset.languages import ModelSpec, load

HANDED = """byte x; chan c = [0] of { byte };
active proctype p() { byte k; atomic { k = 1; x = k }; d_step { k = 2; x = 2 }; c!k; x = 3; assert(x != 3) }
active proctype q() { byte j; c?j -> if :: j == 2 -> skip :: else fi }
"""
MERGED = "-4:-4:-4\n1:0:0\n2:0:5\n3:0:6\n4:1:10\n5:1:11\n6:1:12\n7:1:16\n8:0:7\n9:0:8\n"
"""As pan writes it: steps that nobody else sees are merged with others."""
STEP_BY_STEP = "1:0:0\n2:0:1\n3:0:5\n4:0:6\n5:1:10\n6:1:11\n7:1:12\n8:1:16\n9:0:7\n10:0:8\n"
"""The same with `spin -o3`."""

CLAIMED = """byte x;
active [2] proctype A() { do :: x < 1 -> x = 1 :: x > 0 -> x = 0 od }
never { do :: true :: x == 1 -> break od; accept: do :: true od }
"""
CYCLE = "-2:2:-2\n-4:-4:-4\n1:0:9\n2:2:0\n3:0:9\n4:2:1\n5:0:10\n6:2:2\n-1:-1:-1\n7:0:15\n8:2:3\n9:0:15\n"


def written(folder: Path, text: str, trail: str) -> str:
    file = folder / "m.pml"
    file.write_text(text)
    (folder / "m.pml.trail").write_text(trail)
    return str(file)


@pytest.mark.parametrize("trail", [MERGED, STEP_BY_STEP])
def test_a_trail_is_followed_to_the_error_that_it_shows(trail: str, tmp_path: Path) -> None:
    file = written(tmp_path, HANDED, trail)
    path, failing, fault = load(ModelSpec(file)).followed(f"{file}.trail")
    assert len(path) == 8 and failing is not None  # an atomic sequence and a rendezvous are one step each
    assert fault is not None and fault.kind is FaultKind.ASSERTION


def test_the_moves_of_a_claim_in_a_trail_are_passed_over(tmp_path: Path) -> None:
    file = written(tmp_path, CLAIMED, CYCLE)
    path, failing, _ = load(ModelSpec(file)).followed(f"{file}.trail")
    assert len(path) == 5 and failing is None


def test_what_an_escape_is_from_is_numbered_as_spin_does(tmp_path: Path) -> None:
    text = "byte x; active proctype p() { do :: x < 2 -> x++ od unless { x == 2 -> assert(x != 2) } }"
    file = written(tmp_path, text, "1:0:0\n2:0:1\n3:0:0\n4:0:1\n5:0:2\n6:0:3\n")
    path, failing, fault = load(ModelSpec(file)).followed(f"{file}.trail")
    assert len(path) == 6 and failing is not None
    assert fault is not None and fault.kind is FaultKind.ASSERTION


def test_a_trail_that_is_none_of_the_model_is_an_error(tmp_path: Path) -> None:
    file = written(tmp_path, HANDED, "1:1:10\n")
    with pytest.raises(UsageError, match="step 1 of the trail cannot be taken"):
        load(ModelSpec(file)).followed(f"{file}.trail")
    written(tmp_path, HANDED, "1:0\n")
    with pytest.raises(UsageError, match=r"m\.pml\.trail:1:1: error: line 1 is none of a trail"):
        load(ModelSpec(file)).followed(f"{file}.trail")


def test_run_shows_a_trail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, HANDED, MERGED)
    assert main(["run", file, "--trail"]) == 1
    told = capsys.readouterr().out
    assert "7 steps — model error in [assert(x != 3)] p:2" in told
    assert "[c!k meets c?j] p:2, q:3" in told


SPIN_SAYS = """  1:	proc  0 (p:1) m.pml:2 (state 1)	[k = 1]
  2:	proc  0 (p:1) m.pml:2 (state 2)	[x = k]
  3:	proc  0 (p:1) m.pml:2 (state 6)	[k = 2]
  4:	proc  0 (p:1) m.pml:2 (state 7)	[c!k]
  5:	proc  1 (q:1) m.pml:3 (state 1)	[c?j]
  6:	proc  0 (p:1) m.pml:2 (state 8)	[x = 3]
spin: m.pml:2, Error: assertion violated
spin: text of failed assertion: assert((x!=3))
  7:	proc  0 (p:1) m.pml:2 (state 9)	[assert((x!=3))]
spin: trail ends after 7 steps
#processes: 2
		x = 3
  7:	proc  1 (q:1) m.pml:3 (state 5)
  7:	proc  0 (p:1) m.pml:2 (state 10) <valid end state>
2 processes created
"""


def test_a_counterexample_is_printed_as_spin_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, HANDED, "")
    assert main(["check", file, "--format", "spin"]) == 1
    assert capsys.readouterr().out == SPIN_SAYS


STATEMENTS = """\
#define more x > 1
mtype = { ping, pong };
typedef R { byte b[2] };
R r; byte x = 1; bool f; mtype m; chan c = [2] of { mtype, byte };
proctype W(byte k; chan q) { q!pong(k) }
active proctype P() {
  byte v;
  x++; r.b[1] = x * 2 - 1; f = !f; f = true; m = ping;
  c!ping,x; c!!pong(3); c??ping(v); c?<m,v>; c?[pong,3]; c?pong,eval(x+1);
  x == 2 && !(x > 3) || f -> skip;
  v = (more -> -x : 3);
  run W(3, c);
  c?_,_;
  printf("hi %d\\n", x);
  c!pong(7);
  assert(len(c) == 0 && nfull(c))
}
"""
TOLD = """\
[x = (x+1)] [r.b[1] = ((x*2)-1)] [f = !(f)] [f = 1] [m = ping] [c!ping,x] [c!!pong,3] [c??ping,v] [c?<m,v>]
[(c?[pong,3])] [c?pong,eval((x+1))] [((((x==2)&&!((x>3)))||f))] [(1)] [v = ( ((x>1)) -> (-(x)) : (3) )] [(run W(3,c))]
[q!pong,k] [c?_,_] [printf('hi %d\\\\n',x)] [c!pong,7] [assert(((len(c)==0)&&nfull(c)))]
"""


def test_statements_are_printed_as_spin_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, STATEMENTS, "")
    assert main(["check", file, "--format", "spin"]) == 1
    lines = capsys.readouterr().out.splitlines()
    told = [line.split("\t")[-1] for line in lines if line.endswith("]") and "\tproc" in line]
    assert " ".join(told) == TOLD.replace("\n", " ").strip()
    assert "Starting W with pid 1" in lines and "\t\tqueue 1 (c): [pong,7]" in lines


def test_the_format_of_spin_is_for_promela(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.py"
    step = "    @transition\n    def step(self):\n        self.x = True\n"
    head = "from asset import Model, transition\nclass M(Model):\n    def state(self):\n        self.x = False\n"
    file.write_text(head + step)
    assert main(["check", str(file), "--format", "spin"]) == 2
    assert "--format spin is for models in Promela" in capsys.readouterr().err


FAILING = {
    "byte x;\nactive proctype P() {\n  atomic { x = 1; assert(x == 0); x = 3 };\n  x = 5\n}\n": "m.pml:3 (state 3)",
    "byte x;\nactive proctype P() {\n  x = 1;\n  assert(x == 0)\n}\n": "m.pml:5 (state 3) <valid end state>",
    "byte x;\nactive proctype P() { x = 1; assert(x == 0); goto L; x = 7; L: x = 4 }\n": "m.pml:2 (state 5)",
}


@pytest.mark.parametrize(("text", "place"), FAILING.items(), ids=["in an atomic sequence", "at the end", "a jump"])
def test_a_process_is_behind_the_assertion_that_fails(
    text: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", written(tmp_path, text, ""), "--format", "spin"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("(state 1)\t[x = 1]") and lines[3].endswith("(state 2)\t[assert((x==0))]")
    assert lines[-3:] == ["\t\tx = 1", f"  2:\tproc  0 (P:1) {place}", "1 process created"]


def test_the_start_of_a_cycle_is_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "byte x;\nactive proctype A() { x = 3; do :: x = 1 :: x == 1 -> x = 0 od }\nltl p { <> [] (x == 1) }\n"
    assert main(["check", written(tmp_path, text, ""), "--format", "spin"]) == 1
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("  <<<<<START OF CYCLE>>>>>")
    cycle = [line.split("\t")[-1] for line in lines[start + 1 : -5]]
    assert start >= 1 and sorted(cycle) == ["[((x==1))]", "[x = 0]", "[x = 1]"]
