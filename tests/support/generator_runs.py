"""What a process means, told by CPython itself: its generator, run from the beginning.

A generator can neither be copied nor be put back where a `when` is false. So a step is tried on a new generator that
repeats what the process has done so far, each of its steps in the shared state in which it was made.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from asset.ir.program import State
from asset.model import Disabled, Model, Process, cells_of, in_state
from asset.model.transitions import _firing

Chosen = Mapping[int, tuple[int, bool]]
"""What `choose` gives, by its line: a value, or (where true) the number of one of its arguments."""


@dataclass
class GeneratorRun:
    """One process of a model; `shared` cells are those that modellers declare."""

    model: Model
    process: Process
    indices: tuple[int, ...]
    shared: int
    history: list[tuple[State, Chosen]] = field(default_factory=list)
    finished: bool = False

    def attempt(self, state: State, chosen: Chosen) -> tuple[State, bool, frozenset[int]] | None:
        """The shared state after the next step, whether the process has finished, and the lines where it chose. None
        where it is disabled. Nothing is remembered."""
        if self.finished:
            return None
        model = in_state(self.model, cells_of(self.model))
        generator = self.process.function(model, *self.indices)
        finished, used = False, frozenset[int]()
        for before, choices in [*self.history, (state, chosen)]:
            model._restore((*before, *cells_of(model)[self.shared :]))
            try:
                finished, used = _advance(generator, model, choices)
            except Disabled:
                return None
        return cells_of(model)[: self.shared], finished, used

    def make(self, state: State, chosen: Chosen) -> None:
        """Makes the step: it is a part of the history now."""
        made = self.attempt(state, chosen)
        assert made is not None
        self.history.append((state, chosen))
        self.finished = made[1]


def _advance(generator: Any, model: Model, chosen: Chosen) -> tuple[bool, frozenset[int]]:
    used: set[int] = set()

    def choose(*alternatives: Any) -> Any:
        line = sys._getframe(1).f_lineno
        used.add(line)
        return alternatives[chosen[line][0]] if chosen[line][1] else chosen[line][0]

    token = _firing.set(model)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(generator.gi_frame.f_globals, "choose", choose)
            next(generator)
        return False, frozenset(used)
    except StopIteration:
        return True, frozenset(used)
    finally:
        _firing.reset(token)
