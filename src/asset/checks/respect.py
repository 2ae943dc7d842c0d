"""Does a predicate respect the symmetry: has it the same value in a state and in its representative?

That cannot be proved by looking at some states, but often be refuted: on a walk through the full model before anything
is explored, and on the runs of the full model that a counterexample of representatives stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from asset.engine.outcome import Executable, Finding
from asset.ir.faults import Fault
from asset.ir.program import State
from asset.ir.requirements import Predicate

WALK = 100
"""Steps of the walk: a tenth of a second on a model of thirty transitions."""

UNWOUND = 2_000
"""Steps of the full model, at most, for which a counterexample is unwound."""


def asymmetries(executable: Executable, predicates: list[Predicate]) -> dict[Predicate, State]:
    """For each predicate that is seen not to respect the symmetry, a state in which it differs from the representative.

    Model errors on the way are not of interest here: exploring will find them.
    """
    found: dict[Predicate, State] = {}
    for state in _walk(executable):
        try:
            other = executable.representative(state)
            if other != state:
                for predicate in predicates:
                    if predicate not in found and differs(executable, predicate, state, other):
                        found[predicate] = state
        except Fault:
            continue
    return found


def differs(executable: Executable, predicate: Predicate, one: State, other: State) -> bool:
    return (executable.evaluate(predicate, one) is None) != (executable.evaluate(predicate, other) is None)


def _walk(executable: Executable) -> Iterator[State]:
    """The states of a walk that is the same each time; it begins anew if it can go no further."""
    random = Random(0)
    begun = executable.program.initial_states
    state = begun[0]
    for number in range(WALK):
        yield state
        successor = _random_successor(executable, state, random)
        if successor is None and begun == (state,):
            return
        state = begun[number % len(begun)] if successor is None else successor


def _random_successor(executable: Executable, state: State, random: Random) -> State | None:
    commands = list(range(executable.program.nr_commands))
    random.shuffle(commands)
    for command in commands:
        try:
            successor = executable.fire(state, command)
        except Fault:
            continue
        if successor is not None:
            return successor
    return None


def refuted_by_unwinding(executable: Executable, finding: Finding, predicate: Predicate) -> State | None:
    """A state of a run of the full model in which the predicate holds, though not in its representative in the finding.

    None if the run of the full model shows what the finding shows, or cannot be followed.
    """
    first = len(finding.path) - 1 if finding.progress_lost_at is None else finding.progress_lost_at
    for position, state in _unwound(executable, finding):
        if position >= first and executable.evaluate(predicate, state) is None:
            return state
    return None


def _unwound(executable: Executable, finding: Finding) -> Iterator[tuple[int, State]]:
    """A run of the full model through states whose representatives are those of the finding, with the positions.

    If the finding ends in a cycle, that is followed until a state of the full model repeats.
    """
    state, position = _begun(executable, finding.path[0][1]), 0
    seen: set[tuple[int, State]] = set()
    for _ in range(UNWOUND):
        yield position, state
        if position == len(finding.path) - 1:
            if finding.cycle_starts_at is None:
                return
            position = finding.cycle_starts_at
        if (position, state) in seen:
            return
        seen.add((position, state))
        successor = _successor_towards(executable, state, finding.path[position + 1][1])
        if successor is None:
            return
        state, position = successor, position + 1


def _begun(executable: Executable, representative: State) -> State:
    """An initial state with this representative; the first one if there is none."""
    begun = executable.program.initial_states
    return next((state for state in begun if executable.representative(state) == representative), begun[0])


def _successor_towards(executable: Executable, state: State, representative: State) -> State | None:
    """A successor with this representative, if there is one."""
    for command in reversed(range(executable.program.nr_commands)):
        try:
            successor = executable.fire(state, command)
            if successor is not None and executable.representative(successor) == representative:
                return successor
        except Fault:
            continue
    return None
