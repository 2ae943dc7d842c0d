"""Facts of derived rules, written by one function or by several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from scaling_models import Paxos

from asset import codegen
from asset.checks import CheckOptions
from asset.checks.plan import plan, task
from asset.checks.reductions import reduce
from asset.codegen import fact_bits
from asset.codegen.fact_bits import _FactBits
from asset.engine import native, reference
from asset.engine.outcome import Limits
from asset.frontends.python import compile_model
from asset.ir.interpreter import Interpreter


def test_many_facts_are_the_same_by_several_functions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path))  # what is kept elsewhere was made by as many as usual
    monkeypatch.setattr(fact_bits, "_LARGE", 0)
    names: list[str] = []

    def text(self: _FactBits, name: str, written: Callable[[_FactBits, str], str] = _FactBits.text) -> str:
        names.append(name)
        return written(self, name)

    monkeypatch.setattr(_FactBits, "text", text)
    program, options = compile_model(Paxos(ballots=3)), CheckOptions(stubborn="auto", analysis_time=600)
    reduced = reduce(program, plan(program, options).requirements, options)
    asked = task(program, reduced.requirements, reduced.reductions, reduced.repair)
    found = native.explore(codegen.compile(program, reduced.reductions), asked, Limits(60))
    expected = reference.explore(Interpreter(program), asked, Limits(60))
    assert (found.states, found.edges, found.enabled) == (expected.states, expected.edges, expected.enabled)
    assert len(names) > 1
