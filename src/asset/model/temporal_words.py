"""The words of formulas: `always`, `eventually`, `AG`… They are read in a method with @temporal, and never called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asset.logic.formulas import (
    Always,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Implies,
    Next,
    Release,
    Until,
    WeakUntil,
)
from asset.model.state import rejected


class FormulaWord:
    """A word that is read, not called."""

    def __init__(self, name: str, meaning: str) -> None:
        self.__name__ = self.name = name
        self.__doc__ = meaning

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise rejected(
            f"{self.name}(...) is read in a method with @temporal or @assume, and means nothing elsewhere",
            "write it in what such a method returns",
        )


class TemporalWord(FormulaWord):
    """An operator on formulas: so many of them, and what they make."""

    def __init__(self, name: str, arity: int, build: Callable[..., Formula], meaning: str) -> None:
        super().__init__(name, meaning)
        self.arity = arity
        self.build = build


class _Implication(TemporalWord):
    """Besides, what is said of one state: both sides are evaluated, as arguments are."""

    def __call__(self, left: Any, right: Any) -> bool:
        return not left or bool(right)


class StepWord(FormulaWord):
    """A word that speaks of the next state of an expression."""


def _quantified(quantifier: type[Formula], operator: type[Formula]) -> Callable[..., Formula]:
    return lambda *operands: quantifier(operator(*operands))  # type: ignore[call-arg]


def _leads_to(left: Formula, right: Formula) -> Formula:
    return Always(Implies(left, Eventually(right)))


always = TemporalWord("always", 1, Always, "It holds now and ever after.")
eventually = TemporalWord("eventually", 1, Eventually, "It holds now or later.")
next_state = TemporalWord("next_state", 1, Next, "It holds in the next state.")
until = TemporalWord("until", 2, Until, "The second holds now or later, and the first until just before.")
weak_until = TemporalWord("weak_until", 2, WeakUntil, "As until, but the second need not come.")
release = TemporalWord("release", 2, Release, "The second holds up to and with the first moment of the first, if any.")
implies = _Implication("implies", 2, Implies, "If the first holds, so does the second; of truth values too.")
leads_to = TemporalWord("leads_to", 2, _leads_to, "Whenever the first holds, the second holds then or later.")

AG = TemporalWord("AG", 1, _quantified(ForAll, Always), "On every run it always holds.")
AF = TemporalWord("AF", 1, _quantified(ForAll, Eventually), "On every run it holds now or later.")
AX = TemporalWord("AX", 1, _quantified(ForAll, Next), "It holds in every next state.")
AU = TemporalWord("AU", 2, _quantified(ForAll, Until), "On every run, the first until the second.")
EG = TemporalWord("EG", 1, _quantified(Exists, Always), "On some run it always holds.")
EF = TemporalWord("EF", 1, _quantified(Exists, Eventually), "On some run it holds now or later.")
EX = TemporalWord("EX", 1, _quantified(Exists, Next), "It holds in some next state.")
EU = TemporalWord("EU", 2, _quantified(Exists, Until), "On some run, the first until the second.")

enabled = FormulaWord("enabled", "The transition, or a step of the process, is enabled: `enabled(self.request, i)`.")
taken = FormulaWord("taken", "The step is by the transition or the process: `taken(self.request, i)`.")

after = StepWord("after", "What the expression is in the next state: `after(self.x) >= self.x`.")
changes = StepWord("changes", "The expression is something else in the next state: `changes(self.x)`.")
