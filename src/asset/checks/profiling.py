"""Where the time of a search goes: measured while it runs and, for single transitions, on states that it met."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import TYPE_CHECKING

from asset.engine.outcome import Executable, Outcome, SearchProfile, Work
from asset.errors import UsageError
from asset.ir.interpreter import Interpreter
from asset.ir.program import Family, Program
from asset.verdict import Profile, TransitionCost

if TYPE_CHECKING:
    from asset.codegen import CompiledModel
    from asset.codegen.trying import Cost

KNOWN = 0.1
"""Seconds of a search from which on the system's own account of its share is good for anything: it looks each few
milliseconds who is at work."""


class Profiling:
    """A check whose machine code counts how often each command is tried, and fires."""

    def __init__(self, executable: Executable) -> None:
        if not isinstance(executable, Interpreter):
            raise UsageError.of(
                "a profile needs a model within the compiled language", remedy="asset check says what keeps it out"
            )
        self._counts = (ctypes.c_uint64 * max(1, 2 * executable.program.nr_commands))()
        self._model: CompiledModel | None = None

    def machine(self, program: Program) -> CompiledModel:
        """Machine code of the executable that counts."""
        from asset import codegen

        self._model = codegen.compile_counted(program, self._counts)
        return self._model

    def found(self, outcome: Outcome) -> Profile | None:
        """The profile of the search that was made."""
        if self._model is None or outcome.profile is None:
            return None
        from asset.codegen.trying import Trying

        trying = Trying(self._model, outcome.profile.sample)
        families = [(number, f) for number, f in enumerate(self._model.program.families) if f.size]
        measured = [self._transition(family, trying.cost(number)) for number, family in families]
        return _fitted(outcome.profile, measured)

    def _transition(self, family: Family, cost: Cost) -> TransitionCost:
        counts = self._counts[2 * family.first : 2 * (family.first + family.size)]
        tried, fired = sum(counts[::2]), sum(counts[1::2])
        in_vain, effects = (tried - fired) * cost.in_vain, fired * cost.fired
        return TransitionCost(family.name, family.span, family.size, tried, fired, in_vain, effects)


def _fitted(measured: SearchProfile, transitions: list[TransitionCost]) -> Profile:
    """What transitions cost when they were run on their own is fitted to what finding all successors took. If not all
    of them were tried in each state, less than that is left for them: the rest went into finding those to try."""
    spent = measured.seconds
    alone = sum(each.seconds for each in transitions)
    factor = spent[Work.SUCCESSORS] / alone if alone else 0.0
    if len({each.tried / each.commands for each in transitions}) > 1:
        factor = min(1.0, factor)
    costs = [_scaled(each, factor) for each in transitions]
    costs.sort(key=lambda each: -each.seconds)
    return Profile(_shares(spent, measured.system, costs), tuple(costs))


def _scaled(cost: TransitionCost, factor: float) -> TransitionCost:
    return TransitionCost(
        cost.name, cost.span, cost.commands, cost.tried, cost.fired, cost.in_vain * factor, cost.effects * factor
    )


def _shares(spent: Mapping[Work, float], system: float, costs: list[TransitionCost]) -> dict[str, float]:
    """Seconds by what they were spent with. New pages are asked for by whatever writes to them first, and that is
    where states are stored: so what the operating system took is taken off the look-ups, if it can be known."""
    guards, effects = sum(each.in_vain for each in costs), sum(each.effects for each in costs)
    paging = min(system, spent[Work.LOOK_UPS]) if sum(spent.values()) >= KNOWN else 0.0
    return {
        "guards": guards,
        "effects": effects,
        "dispatch": max(0.0, spent[Work.SUCCESSORS] - guards - effects),
        "look-ups": spent[Work.LOOK_UPS] - paging,
        "memory": spent[Work.MEMORY] + paging,
        "properties": spent[Work.PROPERTIES] + spent[Work.GRAPH],
        "rest": spent[Work.REST],
    }
