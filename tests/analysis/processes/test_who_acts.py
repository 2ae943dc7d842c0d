"""Who does what: processes as they are recognised in models that do not name them."""

from __future__ import annotations

import re

import pytest
from places import MODELS

from asset import check
from asset.analysis.processes.ownership import Processes, find_processes
from asset.frontends.python import PlainPython, compile_model, load
from asset.verdict import Step


def of(name: str, **parameters: str) -> tuple[Processes, dict[str, str]]:
    """The processes, and that of each command by name."""
    program = compile_model(load(str(MODELS / name), parameters))
    found = find_processes(program)
    return found, {program.command_name(at): name for at, name in enumerate(found.of_command)}


def test_commands_that_index_the_same_arrays_belong_to_the_same_processes() -> None:
    found, commands = of("token_ring.py", n="3")
    assert found.names == ("i=0", "i=1", "i=2")
    assert commands["client_step(1)"] == commands["server_step(1)"] == commands["stop(1)"] == "i=1"


def test_each_kind_of_process_has_its_own() -> None:
    found, commands = of("readers_writers.py:ReadersWriters", readers="2", writers="1")
    assert found.names == ("r=0", "r=1", "w=0")
    assert {name for command, name in commands.items() if command.startswith("writer")} == {"w=0"}


def test_commands_without_an_index_belong_together_by_their_program_counter() -> None:
    found, commands = of("two_phase_commit.py:TwoPhaseCommit", n="2")
    assert "coordinator" in found.names
    assert set(commands.values()) == set(found.names)


def test_the_cells_of_an_array_belong_to_the_process_of_their_index() -> None:
    found, _ = of("token_ring.py", n="2")
    assert set(found.of_cell) == {"i=0", "i=1"}


def test_a_model_that_cpython_runs_has_processes_too() -> None:
    program = PlainPython(load(str(MODELS / "token_ring.py"), {"n": "2"})).program
    found = find_processes(program)
    assert len(found.names) == 2
    assert len(set(found.of_command)) == 2


def ring_steps() -> tuple[Step, ...]:
    model = load(str(MODELS / "token_ring_variants.py:EagerRing"), {"n": "3"})
    run = check(model, termination=True).counterexample
    assert run
    return run.steps


def test_a_step_tells_whose_variables_it_writes_and_reads() -> None:
    passing = [step for step in ring_steps() if any(change.cell.startswith("token") for change in step.changes)]
    assert passing
    for step in passing:
        touched = {f"i={change.cell[-2]}" for change in step.changes}
        assert touched == {step.process, *step.writes}


def test_a_step_tells_which_lines_were_run() -> None:
    for step in ring_steps()[1:]:
        assert step.body and step.lines
        assert all(line > step.body.line for line in step.lines)


def test_a_property_of_terminal_states_is_told_of_those_only() -> None:
    stuck = check(load(str(MODELS / "philosophers.py:Philosophers"), {"n": "3"})).counterexample
    racing = check(load(str(MODELS / "bakery.py:OpenDoor"), {})).counterexample
    assert stuck and racing
    assert stuck.steps[-1].holds["everyone_has_left"] is False
    assert "everyone_has_left" not in stuck.steps[0].holds
    assert "everyone_is_gone" not in racing.steps[-1].holds


FIRST = {
    path.name: first[1]
    for path in sorted(MODELS.glob("*.py"))
    if (first := re.search(r"^class (\w+)\(Model\)", path.read_text(encoding="utf-8"), re.MULTILINE))
}
"""A model of each file of examples that defines one from scratch."""


@pytest.mark.parametrize("name", FIRST)
def test_every_command_of_every_example_has_a_process(name: str) -> None:
    found, commands = of(f"{name}:{FIRST[name]}")
    assert set(commands.values()) <= set(found.names)
    assert len(set(found.names)) == len(found.names)
