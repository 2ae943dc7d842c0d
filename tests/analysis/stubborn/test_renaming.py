"""Paths that are renamed from those of a symmetric command are those that unfolding gives."""

from __future__ import annotations

from functools import partial

import pytest
from places import MODELS

from asset.analysis.stubborn.members import Members
from asset.analysis.stubborn.merging import merged
from asset.analysis.stubborn.runs import UnfoldingEffort
from asset.analysis.stubborn.unfolding import Unfolded, Unfolder
from asset.analysis.values.domains import CellDomains
from asset.frontends.python import compile_model, load
from asset.ir.program import Program

PARAMETERS = {
    "bounded_buffer.py:BoundedBuffer": {"producers": "2", "consumers": "2"},
    "token_ring.py": {"n": "3"},
    "client_server.py": {},
    "database_manager.py": {"n": "3"},
    "two_phase_commit.py:TwoPhaseCommit": {},
}

WITH_QUEUES = ("client_server.py",)
"""Symmetries rename what is in a queue, but not what is in its unused places: they say nothing of paths."""


def all_paths(program: Program) -> list[Unfolded]:
    cells = CellDomains(program)
    unfolding = Members(Unfolder(cells, UnfoldingEffort()), partial(merged, cells=cells))
    return [unfolding.of(command) for command in range(program.nr_commands)]


def told(unfolded: Unfolded) -> list[list[str]]:
    """In an order of its own: which value is tried first may depend on its name."""
    return [
        sorted(str((sorted(p.guard.items()), p.atoms, sorted(p.hidden), sorted(p.updates.items()))) for p in paths)
        for paths in (unfolded.fired, unfolded.faulty)
    ]


@pytest.mark.parametrize("name", PARAMETERS)
def test_members_of_a_family_have_the_paths_that_unfolding_gives(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = compile_model(load(str(MODELS / name), PARAMETERS[name]))
    expected = all_paths(program)
    monkeypatch.setattr(Members, "_is_costly", lambda self: True)
    unfolded: list[int] = []
    unfold = Members._unfolded
    monkeypatch.setattr(Members, "_unfolded", lambda self, command: unfolded.append(command) or unfold(self, command))
    assert list(map(told, all_paths(program))) == list(map(told, expected))
    assert (len(unfolded) < program.nr_commands) is (name not in WITH_QUEUES)
