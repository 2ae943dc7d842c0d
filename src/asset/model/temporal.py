"""Temporal properties of a model: declared, read, and judged on runs by CPython."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, overload

from asset.errors import ModelRejected
from asset.ir.requirements import Enabled, Taken
from asset.logic.formulas import Formula, Logic, logic_of, misplaced
from asset.logic.semantics import holds
from asset.model.formula_reading import FormulaReader, StateAtom, StepAtom
from asset.model.indices import Indexed
from asset.model.spans import definition_span
from asset.model.syntax_trees import tree_of
from asset.model.transitions import members_in_order
from asset.span import Span

if TYPE_CHECKING:
    from asset.model import Model


class TemporalProperty(Indexed):
    """A method with @temporal or @assume. On a model, it gives the formula for some indices."""

    decorator = "@temporal"
    assumed: ClassVar[bool] = False

    @overload
    def __get__(self, model: None, owner: type) -> TemporalProperty: ...
    @overload
    def __get__(self, model: Model, owner: type) -> Callable[..., ModelFormula]: ...
    def __get__(self, model: Model | None, owner: type) -> TemporalProperty | Callable[..., ModelFormula]:
        return self if model is None else lambda *indices: self.formula(model, FormulaReader(model), indices)

    def instances(self, model: Model, reader: FormulaReader) -> Iterator[ModelFormula]:
        """One formula for each combination of its indices."""
        for indices in product(*self.ranges(model)):
            yield self.formula(model, reader, indices)

    def formula(self, model: Model, reader: FormulaReader, indices: tuple[int, ...]) -> ModelFormula:
        tree = tree_of(self.function)
        given = dict(zip(self.index_names, indices, strict=True))
        formula = reader.read(self.function, tree, given)
        span = definition_span(self.function)
        wrong = misplaced(formula)
        if wrong is not None or (self.assumed and logic_of(formula) is Logic.CTL):
            at = span if wrong is None else reader.places.get(wrong, span)
            raise ModelRejected.of(_mixture(self, wrong), at, _REMEDY)
        name = f"{self.name}({', '.join(str(int(i)) for i in indices)})" if indices else self.name
        return ModelFormula(model, name, formula, span)


class Assumption(TemporalProperty):
    """A method with @assume."""

    decorator = "@assume"
    assumed = True


_REMEDY = "use always, eventually, until… for every run, or AG, AF, EF… in pairs, not both"


def _mixture(declared: TemporalProperty, wrong: Formula | None) -> str:
    if wrong is None:
        return f"{declared.name} is assumed of runs, and AG, EF… do not speak of one run"
    return f"{declared.name} is neither LTL nor CTL, because of {wrong}"


@dataclass(frozen=True, slots=True)
class ModelFormula:
    """A formula about a model. The keys of its atoms are StateAtom, Enabled and Taken."""

    model: Model
    name: str
    formula: Formula
    span: Span

    def holds_on(self, run: Any, cycle: int | None = None, taken: Sequence[object] = ()) -> bool:
        """Whether the formula holds on a run that goes on for ever; this is what it means.

        `run` is the counterexample of a verdict; or a list of models, the states of the run, of which the last is
        followed by that at position `cycle`, or by itself for ever if that is None. Then `taken` are the transitions
        between the states, as `model.transitions()` has them, if the formula speaks of them.
        """
        states, steps = list(run), list(taken)
        if hasattr(run, "steps"):
            cycle = run.cycle_starts_at
            steps = [step.transition for step in run.steps[1:]]
            states = states[:-1] if cycle is not None else states  # the last is the first of the cycle again
        elif cycle is not None and len(steps) not in (0, len(states)):
            raise ValueError("taken has a transition for each state, the last of which leads back to the cycle")
        fired = [*map(str, steps), *[""] * len(states)][: len(states)]
        first = len(states) - 1 if cycle is None else cycle
        following = [*states[1:], states[first]]
        observed = [Observed(*moment) for moment in zip(states, fired, following, strict=True)]
        return holds(self.formula, observed[:first], observed[first:])

    def __str__(self) -> str:
        return str(self.formula)


class Observed:
    """A moment of a run, as a container of the atoms that hold: a state, the transition that is taken in it, and the
    next state."""

    def __init__(self, state: Model, by: str, following: Model) -> None:
        self._state = state
        self._by = by
        self._following = following

    def __contains__(self, atom: object) -> bool:
        from asset.model.model import fire

        fired = self._state.transitions()
        match atom:
            case StateAtom(function=function):
                return bool(function(copy(self._state)))
            case StepAtom(function=function, values=values):
                return bool(function(copy(self._state), *(value(copy(self._following)) for value in values)))
            case Enabled(commands=commands):
                return any(fire(copy(self._state), fired[command]) for command in commands)
            case Taken(commands=commands):
                return any(str(fired[command]) == self._by for command in commands)
            case _:
                raise AssertionError(atom)


def temporal(function: Any = None, /, **indices: Any) -> Any:
    """Declares a formula that holds on every run (LTL), or in the initial state (CTL): `@temporal`, or
    `@temporal(i="n")` for one formula for each i in range(n). The method returns the formula, and is read, not run."""
    return TemporalProperty.decorating(function, indices)


def assume(function: Any = None, /, **indices: Any) -> Any:
    """Declares a formula (LTL) that is assumed of runs: temporal properties are asked of those on which it holds."""
    return Assumption.decorating(function, indices)


def temporal_properties_of(cls: type) -> tuple[TemporalProperty, ...]:
    return tuple(member for member in members_in_order(cls).values() if isinstance(member, TemporalProperty))
