"""Macros that name each other: what is left is what C's preprocessor leaves, and that is found.

ASSET_EXAMPLES=2000 compares so many random files with `gcc -E`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

import asset
from asset.frontends.promela.preprocessing import preprocess
from asset.languages import ModelSpec, load

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "40"))
TOKEN = re.compile(r"\w+|\S")
NAMES = ("f", "g", "h", "p", "q")


def expanded(folder: Path, text: str) -> list[str]:
    file = folder / "macros.pml"
    file.write_text(text)
    return [token.text for token in preprocess(str(file), {}).tokens if token.text]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("#define one two\n#define two one\none + two", "one + two"),
        ("#define more less + 1\n#define less more - 1\nmore", "more - 1 + 1"),
        ("#define twice(x) x(x)\ntwice(twice)", "twice ( twice )"),
        ("#define f(x) x * g\n#define g f\nf(2)(9)", "2 * f ( 9 )"),
        ("#define f(x) g(x)\n#define g(x) f(x) + x\nf(1)", "f ( 1 ) + 1"),
    ],
)
def test_a_macro_is_not_expanded_in_what_it_stands_for(text: str, left: str, tmp_path: Path) -> None:
    assert " ".join(expanded(tmp_path, f"{text}\n")) == left


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_random_macros_leave_what_they_do_in_c(tmp_path: Path) -> None:
    compared = 0
    for seed in range(EXAMPLES):
        text = random_macros(Random(seed))
        file = tmp_path / "macros.pml"
        file.write_text(text)
        words = ["gcc", "-E", "-P", "-x", "c", str(file)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 0 and not done.stderr:
            compared += 1
            assert expanded(tmp_path, text) == TOKEN.findall(done.stdout), f"seed {seed}\n{text}"
    assert compared > EXAMPLES / 4


def random_macros(r: Random) -> str:
    lines: list[str] = []
    for name in NAMES:
        parameters = ["x", "y"][: r.randint(0, 2)]
        if r.random() < 0.75:
            brackets = f"({','.join(parameters)})" if parameters else ""
            lines.append(f"#define {name}{brackets} {_body(r, parameters)}")
    return "\n".join([*lines, " ".join(_use(r) for _ in range(3)), ""])


def _body(r: Random, parameters: list[str]) -> str:
    simple = [*NAMES, str(r.randrange(9)), f"{r.choice(NAMES)}({r.choice((*NAMES, *parameters, '1'))})"]
    if parameters:
        name = r.choice(parameters)
        simple += [name, name, f"{r.choice(NAMES)}({name})", f"{name} ## {r.choice((*parameters, '1'))}"]
    return " ".join(r.choice(simple) for _ in range(r.randint(1, 4)))


def _use(r: Random) -> str:
    first, second, third = (r.choice(NAMES) for _ in range(3))
    return r.choice((first, f"{first}({second})", f"{first}(2)", f"{first}({second}({third}),3)", "(4)"))


def test_characters_are_those_of_spin_and_in_conditions_those_of_c(tmp_path: Path) -> None:
    file = tmp_path / "characters.pml"
    file.write_text(r"""#if '\0' == 0 && '\n' == 10 && '\\' == 92 && '\v' == 11
init { assert('\0' == 48 && '\x' == 120 && '\'' == 39 && '\t' + '\r' + '\f' == 34 && 'a' == 97) }
#endif
""")
    assert asset.check(load(ModelSpec(str(file))), engine="reference").holds


def test_a_file_may_begin_with_a_byte_order_mark_and_end_lines_in_two_characters(tmp_path: Path) -> None:
    file = tmp_path / "written_elsewhere.pml"
    file.write_bytes(b"\xef\xbb\xbf#define A \\\r\n  3\r\nbyte x; /* caf\xe9 */\r\ninit {\r\n x = A }\r\n")
    assert asset.check(load(ModelSpec(str(file))), engine="reference").states == 3


def test_of_an_inline_other_calls_may_be_arguments(tmp_path: Path) -> None:
    file = tmp_path / "nested.pml"
    file.write_text("inline f(a) { a; a }\nbyte x;\ninit { f(f(x++)); assert(x == 4) }\n")
    assert asset.check(load(ModelSpec(str(file))), engine="reference").holds


def test_there_may_be_no_process_of_an_active_proctype(tmp_path: Path) -> None:
    file = tmp_path / "none.pml"
    file.write_text("#define N 2\nactive [N] proctype P() { assert(false) }\ninit { skip }\n")
    assert asset.check(load(ModelSpec(str(file), {"N": "0"})), engine="reference").states == 3
