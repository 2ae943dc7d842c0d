"""A few models at each stage of analysis, against golden files: the IR, the derived rules, the group of symmetries.

A change of the front end or of an analysis shows there in review. ASSET_REWRITE_GOLDEN=1 writes the files anew.
"""

from __future__ import annotations

import pytest
from golden import assert_golden
from places import MODELS
from stage_texts import groups_text, rules_text

from asset.analysis.stubborn.derivation import derive
from asset.analysis.symmetry.describing import describe
from asset.frontends.python import compile_model, load
from asset.ir.printer import pretty
from asset.ir.program import Program

CASES = {
    "token_ring": ("token_ring.py", {"n": 3}),
    "philosophers": ("philosophers.py:Philosophers", {"n": 3}),
    "two_phase_commit": ("two_phase_commit.py:TwoPhaseCommit", {"n": 3}),
    "client_server": ("client_server.py", {"clients": 3, "servers": 1}),
    "bounded_buffer": ("bounded_buffer.py:BoundedBuffer", {"producers": 2, "consumers": 1, "capacity": 1}),
    "hanoi": ("hanoi.py", {"discs": 3}),
}


def program_of(case: str) -> Program:
    file, parameters = CASES[case]
    return compile_model(load(str(MODELS / file), {name: str(value) for name, value in parameters.items()}))


@pytest.mark.parametrize("case", CASES)
def test_the_program_is_as_in_its_golden_file(case: str) -> None:
    assert_golden(f"ir/{case}.txt", pretty(program_of(case)))


@pytest.mark.parametrize("case", CASES)
def test_the_derived_rules_are_as_in_their_golden_file(case: str) -> None:
    program = program_of(case)
    assert_golden(f"rules/{case}.txt", rules_text(derive(program, program.requirements)))


@pytest.mark.parametrize("case", CASES)
def test_the_groups_of_symmetries_are_as_in_their_golden_file(case: str) -> None:
    program = program_of(case)
    assert_golden(f"groups/{case}.txt", groups_text(describe(program, program.requirements)))
