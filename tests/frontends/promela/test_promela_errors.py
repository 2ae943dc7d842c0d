"""Mistakes in a model: what is said, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.errors import ModelRejected, UsageError
from asset.languages import ModelSpec, load
from asset.verdict import Answer

MISTAKES = [
    ("active proctype P() { x = 1 }", "1:23: error: x is not declared"),
    ("byte count;\nactive proctype P() { coumt = 1 }", "2:23: error: coumt is not declared"),
    ("byte x;\nactive proctype P() { x = 1 x = 2 }", "2:29: error: 'x' is here, and not ';'"),
    ("byte x;\nactive proctype P() { x = (1 + }", "2:32: error: '}' is here, and not an expression"),
    ("byte x;\nactive proctype P() { x[2] = 1 }", "2:23: error: x is no array"),
    ("typedef T { byte a };\nT t;\nactive proctype P() { t.b = 1 }", "3:23: error: T has no field b"),
    ("active proctype P() { c_code { x = 1; } }", "1:23: error: c_code is embedded C"),
    ("c_decl { int x; };\nactive proctype P() { skip }", "1:1: error: c_decl is embedded C"),
    ("chan q = [1] of { byte };\nactive proctype P() { q!1,2 }", "2:23: error: a message of q has 1 field"),
    ("byte q;\nactive proctype P() { q!1 }", "2:23: error: q is no channel"),
    ("proctype Q(byte k) { skip }\ninit { run Q(1, 2) }", "2:8: error: Q takes 1 argument"),
    ("init { run Q() }", "1:8: error: there is no proctype Q"),
    ("active proctype P() { goto there }", "1:23: error: there is no label there in P"),
    ("active proctype P() { break }", "1:23: error: break stands outside of do"),
    ("active proctype P() { if :: skip :: else :: else fi }", "1:45: error: there is a second else"),
    ("byte x;\nbyte x;\nactive proctype P() { skip }", "2:6: error: x is declared twice"),
    ("mtype = { a, b, a };\nactive proctype P() { skip }", "1:17: error: a is declared twice"),
    ("byte a[0];\nactive proctype P() { skip }", "1:8: error: the length of an array is a constant"),
    ("#if 1\nactive proctype P() { skip }", "1:2: error: this condition does not end"),
    ('#include "nowhere.h"\nactive proctype P() { skip }', "1:10: error: there is no file"),
    (
        "#define f(a) a\nbyte x;\nactive proctype P() { x = f(1, 2) }",
        "3:27: error: the macro f takes 1 argument(s), and is given 2",
    ),
    ("active proctype P() { /* what", "1:23: error: this comment does not end"),
    ("active proctype P() { skip $ }", "1:28: error: the character '$' is not part of Promela"),
    ("byte x;", "1:7: error: there is no process"),
    ("proctype P() { skip }", "1:21: error: there is no process to begin with"),
    ("active [0] proctype P() { skip }", "1:32: error: there is no process to begin with"),
    ("inline f(a) { g(a) }\ninline g(a) { f(a) }\ninit { f(1) }", "2:15: error: the inline f calls itself"),
    ("proctype Q(byte k) provided (k > 0) { skip }\ninit { run Q(1) }", "1:30: error: k is a variable of the process"),
    ("trace { skip }\nactive proctype P() { skip }", "1:9: error: a trace has sends and receives only"),
    ("active proctype P() { skip }\nltl p { [] (y) }", "2:13: error: y is not declared"),
    ("active proctype P() { skip }\nbyte x; ltl p { [] (x -> <> x }", "2:31: error: '}' is here, and not ')'"),
    ("active proctype P() { skip }\nbyte x; ltl p { [] ((x == 1) -> (<> x && z)) }", "2:42: error: z is not declared"),
    ("active proctype P() { skip }\nbyte x; ltl p { [] x <> x }", "2:23: error: '>' is here, and not an expression"),
    ("active proctype P() {\n  do\n  :: skip;\n  fi;\n  od\n}", "4:3: error: 'fi' is here, and not 'od'"),
    ("active proctype P() {\n  skip;\n  ];\n  skip\n}", "3:3: error: ']' is here, and not an expression"),
    ("active proctype P() { while (true) { skip } }", "1:23: error: there is no while in Promela"),
]

MANY = """byte x; typedef T { byte a }; T t; chan q = [1] of { byte };
inline twice(v, w) { v = w; v = w }
active proctype P() {
  byte k = many;
  if
  :: y == 1 -> t.b = 2
  :: { x = z } unless { q?lost }
  :: else
  fi;
  do :: for (k : 0 .. n) { x = y } :: twice(x) :: twice(m, m); break od;
  string name;
  x = y
}
"""
SAID = [
    "4:12: error: many is not declared",
    "6:6: error: y is not declared",
    "6:16: error: T has no field b",
    "7:12: error: z is not declared",
    "7:27: error: lost is not declared",
    "10:23: error: n is not declared",
    "10:39: error: the inline twice takes 2 argument(s), and is given 1",
    "10:57: error: m is not declared",
    "11:3: error: there is no string in Promela",
]


def test_all_statements_with_mistakes_are_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "mistaken.pml"
    file.write_text(MANY)
    with pytest.raises(ModelRejected) as rejected:
        load(ModelSpec(str(file)))
    assert [str(each).splitlines()[0] for each in rejected.value.diagnostics] == [f"{file}:{said}" for said in SAID]


def test_what_cannot_be_read_on_is_told_after_the_mistakes_before_it(tmp_path: Path) -> None:
    file = tmp_path / "mistaken.pml"
    file.write_text("active proctype P() { x = 1; if :: y -> skip }\nactive proctype Q() { z = 1 }\n")
    with pytest.raises(ModelRejected) as rejected:
        load(ModelSpec(str(file)))
    found = [each.message for each in rejected.value.diagnostics]
    assert found == ["x is not declared", "y is not declared", "'}' is here, and not ';'"]


def test_twenty_mistakes_are_enough(tmp_path: Path) -> None:
    file = tmp_path / "mistaken.pml"
    file.write_text(f"active proctype P() {{ {'; '.join(f'x{k} = 1' for k in range(100))} }}\n")
    with pytest.raises(ModelRejected) as rejected:
        load(ModelSpec(str(file)))
    assert len(rejected.value.diagnostics) == 20


@pytest.mark.parametrize(("text", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_a_mistake_is_an_error_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "mistaken.pml"
    file.write_text(text)
    with pytest.raises(ModelRejected) as rejected:
        load(ModelSpec(str(file)))
    told = str(rejected.value)
    assert told.startswith(f"{file}:{said}")
    assert "^" in told and len(told.splitlines()) >= 4  # the line, a caret, and a remedy


def test_a_mistake_in_a_macro_is_at_the_place_of_its_use(tmp_path: Path) -> None:
    file = tmp_path / "mistaken.pml"
    file.write_text("#define bad y + 1\nbyte x;\nactive proctype P() { x = bad }\n")
    with pytest.raises(ModelRejected, match=r"mistaken\.pml:3:27: error: y is not declared"):
        load(ModelSpec(str(file)))


def test_a_macro_that_is_given_goes_before_that_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "sized.pml"
    file.write_text("#define N 2\nactive [N] proctype P() { skip }\n")
    assert load(ModelSpec(str(file), {"N": "3"})).executable().program.nr_commands == 6


def test_a_macro_that_the_model_never_mentions_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "plain.pml"
    file.write_text("active proctype P() { skip }\n")
    with pytest.raises(UsageError, match="no macro N"):
        load(ModelSpec(str(file), {"N": "3"}))


CHAIN = "byte n;\nproctype Q() { n++; if :: n < 3 -> run Q() :: else fi }\ninit { run Q() }\n"


def test_a_model_whose_processes_cannot_be_counted_has_room_for_some_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "chain.pml"
    file.write_text(CHAIN)
    subject = load(ModelSpec(str(file)))
    (told,) = subject.notes()
    assert "chain.pml:2:36: warning: it cannot be told how often this run is executed" in told
    assert "there is room for 17\n" in told and "-D _processes=30" in told
    assert asset.check(subject).answer is Answer.HOLDS
    file.write_text(CHAIN.replace("n < 3", "n < 30"))
    verdict = asset.check(load(ModelSpec(str(file))))
    assert verdict.answer is Answer.UNDECIDED and "-D _processes=32 makes more" in verdict.caveats[0].message


def test_a_model_without_a_bound_of_processes_runs_with_one_that_is_given(tmp_path: Path) -> None:
    file = tmp_path / "chain.pml"
    file.write_text(CHAIN)
    program = load(ModelSpec(str(file), {"_processes": "4"})).executable()
    assert program.program.nr_commands > 0


def test_processes_are_counted_though_a_condition_is_known_in_part(tmp_path: Path) -> None:
    file = tmp_path / "given.pml"
    step = "do :: k < 2 && given[k] -> k++ :: !given[k] -> break od; given[k] = true; run Q(k)"
    file.write_text(
        f"bool given[3];\nproctype Q(byte me) {{ skip }}\n"
        f"init {{ byte k, n; do :: n < 3 -> k = 0; {step}; n++ :: else -> break od }}\n"
    )
    subject = load(ModelSpec(str(file)))
    assert subject.notes() == [] and asset.check(subject).answer is Answer.HOLDS


def test_a_process_that_is_at_no_valid_end_is_named(tmp_path: Path) -> None:
    file = tmp_path / "stuck.pml"
    file.write_text("byte x;\nactive proctype P() { x = 1 }\nactive proctype Q() { x == 2 }\n")
    violation = asset.check(load(ModelSpec(str(file)))).violation
    assert violation is not None and {reason.text for reason in violation.why} == {"Q"}
