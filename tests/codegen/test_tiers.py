"""Quick code and the code that takes over from it do the same, whenever it takes over; and it does take over."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest
from children import await_those_let_go
from hypothesis import HealthCheck, given, settings
from programs import everything
from random_models import models

from asset import codegen
from asset.codegen import compiled, compiling, unit
from asset.codegen.compiled import CompiledModel
from asset.codegen.module import module_of
from asset.codegen.source import CompilerInput
from asset.engine import native
from asset.engine.outcome import Limits, Stop, Task
from asset.frontends.python import compile_model, load
from asset.ir.program import Program
from asset.ir.reductions import HAND_WRITTEN
from asset.ir.requirements import Termination

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "12"))
LIMITS = Limits(max_states=3000)
RING = Path(__file__).parents[2] / "models" / "token_ring.py"


def both_tiers(program: Program) -> tuple[CompiledModel, CompiledModel]:
    """The program as quick code, and as better code."""
    better = codegen.compile(program, HAND_WRITTEN)
    source = better._source._replace(quick=True)
    return CompiledModel(source, None, compiled._generate(source)), better


def found(model: CompiledModel, task: Task, others: Iterator[int]) -> tuple[object, ...]:
    """What a search finds, if its code is exchanged at the end of each level, as far as we are fast enough."""
    search = native._search(model, task, LIMITS, None)
    if (first := next(others, None)) is not None:
        search.improve(first)
    run = Thread(target=search.run)
    run.start()
    for other in others:
        if not run.is_alive():
            break
        search.improve(other)
    run.join()
    return search.stop, search.states, search.edges, search.terminal_states, search.levels, search.findings


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models())
def test_code_that_is_exchanged_at_any_level_finds_the_same(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        program = compile_model(load(str(file), {}))
    quick, better = both_tiers(program)
    task = everything(program, Termination())
    expected = found(better, task, iter(()))
    assert found(quick, task, iter(())) == expected
    assert found(quick, task, iter([better.address])) == expected
    assert found(quick, task, cycle([better.address, quick.address])) == expected


@pytest.fixture
def tiered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Program:
    """A small program for which quick code is made first, and a cache that is empty."""
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(unit, "TIERED_NODES", 0)
    monkeypatch.setattr(compiled, "processors", lambda: 2)
    monkeypatch.setattr(compiling.threading, "active_count", lambda: 1)  # type: ignore[attr-defined]
    return compile_model(load(str(RING), {"n": "4"}))


def until_better(model: CompiledModel) -> int:
    """The address of better code, for which we wait."""
    end = time.monotonic() + 60
    while (address := model.better()) is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return address


def test_better_code_comes_once_and_is_kept(tiered: Program) -> None:
    model = codegen.compile(tiered, soon=True)
    first = model.address
    assert until_better(model) == model.address != first
    assert model.better() is None
    again = codegen.compile(tiered, soon=True)
    assert again.from_cache and again.better() is None and again._better is None


def test_quick_code_is_kept_until_there_is_better(tiered: Program) -> None:
    codegen.compile(tiered, soon=True)
    again = codegen.compile(tiered, soon=True)
    assert again.from_cache and again._better is not None
    assert not codegen.compile(tiered).from_cache  # who does not ask for better code is not given quick code


def test_a_search_goes_on_with_better_code(tiered: Program) -> None:
    model = codegen.compile(tiered, soon=True)
    search = native._search(model, Task(tiered.initial_states), LIMITS, None)
    search.improve(until_better(model))
    search.run()
    assert search.states == 2928


def test_a_child_that_fails_leaves_quick_code(tiered: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    made = compiling.object_code

    def only_quickly(text: str, quickly: bool = False) -> bytes:
        if not quickly:
            os._exit(1)
        return made(text, quickly)

    monkeypatch.setattr(compiling, "object_code", only_quickly)
    model = codegen.compile(tiered, soon=True)
    end = time.monotonic() + 60
    while model._better is not None:
        assert model.better() is None and time.monotonic() < end
        time.sleep(0.01)


def test_without_a_child_there_is_quick_code(tiered: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError

    before = len(os.listdir("/dev/fd"))
    monkeypatch.setattr(os, "fork", refused)
    model = codegen.compile(tiered, soon=True)
    assert model._better is None and model.better() is None
    assert len(os.listdir("/dev/fd")) == before


def test_code_of_another_model_does_not_take_over(tiered: Program) -> None:
    model = codegen.compile(tiered)
    other = codegen.compile(compile_model(load(str(RING), {"n": "3"})))
    search = native._search(model, Task(tiered.initial_states), LIMITS, None)
    with pytest.raises(ValueError, match="code of another model"):
        search.improve(other.address)


def test_nobody_is_left_of_those_who_made_better_code(tiered: Program) -> None:
    child = codegen.compile(tiered, soon=True)._better
    assert child is not None
    process = child._child._process
    del child
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_better_code_is_made_though_nobody_waits_for_it(tiered: Program) -> None:
    model = codegen.compile(tiered, soon=True)
    model.improve_for_later()
    del model
    until_kept(tiered)
    await_those_let_go()


def test_who_makes_better_code_for_later_does_not_hold_what_its_parent_has_open(
    tiered: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    made = compiling.object_code

    def slowly(text: str, quickly: bool = False) -> bytes:
        time.sleep(0 if quickly else 1)
        return made(text, quickly)

    monkeypatch.setattr(compiling, "object_code", slowly)
    model = codegen.compile(tiered, soon=True)
    model.improve_for_later()
    os.close(writing)
    assert select.select([reading], [], [], 0.5)[0] and os.read(reading, 1) == b""
    os.close(reading)
    del model
    until_kept(tiered)
    await_those_let_go()


def test_a_search_that_took_long_has_better_code_made_for_later(
    tiered: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[CompiledModel] = []
    monkeypatch.setattr(CompiledModel, "improve_for_later", lambda self: asked.append(self))
    model, task = codegen.compile(tiered, soon=True), Task(tiered.initial_states)
    monkeypatch.setattr(native, "WORTH_IMPROVING", 3600)
    native.explore(model, task, LIMITS)
    assert not asked
    monkeypatch.setattr(native, "WORTH_IMPROVING", 0)
    native.explore(model, task, LIMITS)
    assert asked == [model]
    monkeypatch.setattr(native, "STOPS", [Stop.INTERRUPTED] * len(native.STOPS))
    native.explore(model, task, LIMITS)
    assert asked == [model]  # nobody works on after Ctrl-C


def until_kept(program: Program) -> None:
    """Waits until the cache has better code of the program."""
    end = time.monotonic() + 60
    while codegen.compile(program, soon=True)._better is not None:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_of_a_large_program_better_code_is_made_although_somebody_did_not_ask_for_it(
    tiered: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unit, "LARGE_NODES", 1)
    assert not codegen.compile(tiered).from_cache
    assert codegen.compile(tiered)._better is None
    model = codegen.compile(tiered, soon=True)
    assert model.from_cache
    until_better(model)
    again = codegen.compile(tiered)
    assert again.from_cache and codegen.compile(tiered, soon=True)._better is None
    assert len(again.code._objects) == 1 < len(module_of(CompilerInput(tiered, again.layout)).pieces())
