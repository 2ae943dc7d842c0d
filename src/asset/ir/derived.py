"""Stubborn set rules that were derived from a program: data for the engines, made by `analysis`.

The *nodes* are the commands, by their numbers, and after them imaginary transitions that stand for what is checked
(an invariant is an imaginary transition that is enabled in states that violate it, Theorem 4). Only commands are fired.
After these, some commands have a second node: that the command is a *key* of the set, which nothing outside the set can
disable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from asset.ir import nodes as n
from asset.ir.program import State

ALWAYS = -1
"""Instead of the number of a fact: what holds in every state."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """If `fact` holds, an obligation is met by having all of `nodes` in the set."""

    fact: int
    nodes: frozenset[int]


Obligation = tuple[Alternative, ...]
"""At least one alternative whose fact holds must be in the set whole. If there is none, it cannot be met."""


@dataclass(frozen=True, slots=True)
class ObligationCase:
    """If all of `facts` hold, a set with the node must meet all of `obligations`."""

    facts: tuple[int, ...]
    obligations: tuple[Obligation, ...]


class AskedFact(NamedTuple):
    """A condition on the state, and whether it makes a difference that it holds, and that it fails."""

    condition: n.Expr
    if_holds: bool
    if_fails: bool


@dataclass(frozen=True, slots=True)
class DerivedRules:
    """`facts` are conditions on the state without locals whose evaluation never faults, whatever the variables are.

    `cases[node]` are all to be met if they apply. A set of nodes that meets them gives a set of commands with D1 that
    takes what is checked into account. `keys[command]` is the node that has to be in the set for the command, if it is
    enabled, to have D2: the command itself if there is none. If the keys of an enabled command are in the set, or all
    nodes are, it has D0 as well. Without `keys`, each command is its own.

    `progress` are the imaginary nodes that are enabled in the states that may progress accepts. Only to believe that
    progress is lost they are needed; `without_progress` are the rules that do not know them.

    Only commands of the `cone` are fired, if there is one: others can never influence what is asked.

    `visible` are the commands that may change what formulas observe, if formulas are to be preserved: sets have all of
    them or no enabled one, and an enabled command that is not visible if there is any (V and I of
    `asset.checks.soundness`). Then steps that change nothing count like others; but not if `idle_steps` is false: the
    rules are those of the model in which commands are enabled only where they change something.

    `writes[command]` are the cells that it may change, as far as that is known; `initial` are their first values. They
    decide among sets that are equally good (`asset.engine.choice`).
    """

    facts: tuple[n.Expr, ...]
    cases: tuple[tuple[ObligationCase, ...], ...]
    progress: frozenset[int] = frozenset()
    cone: frozenset[int] | None = None
    visible: frozenset[int] | None = None
    writes: tuple[frozenset[int], ...] = ()
    initial: State = ()
    keys: tuple[int, ...] = ()
    idle_steps: bool = True

    @property
    def asked(self) -> tuple[AskedFact, ...]:
        """The facts, with what is asked of them. Of a case matters that one of its facts fails, as it then asks
        nothing; of an alternative that its fact holds, as it then counts."""
        cases = [case for of_node in self.cases for case in of_node]
        fails = {fact for case in cases for fact in case.facts}
        holds = {option.fact for case in cases for options in case.obligations for option in options}
        return tuple(AskedFact(fact, number in holds, number in fails) for number, fact in enumerate(self.facts))

    def key(self, command: int) -> int:
        return self.keys[command] if self.keys else command

    def with_keys_only(self) -> DerivedRules:
        """Rules by which every command of a set is a key of it, if it is enabled."""
        if not self.keys:
            return self
        cases = list(self.cases[: min(set(self.keys) - set(range(len(self.keys))))])
        for command, key in enumerate(self.keys):
            if key != command:
                cases[command] = _together(*cases[command], *self.cases[key])
        return replace(self, cases=tuple(cases), keys=())

    def without_progress(self) -> DerivedRules:
        """A node that has no obligations is in every set that is worth having: it makes no difference."""
        cases = tuple(() if node in self.progress else cases for node, cases in enumerate(self.cases))
        return replace(self, cases=cases, progress=frozenset())


def _together(*cases: ObligationCase) -> tuple[ObligationCase, ...]:
    """The obligations of cases of the same facts in one."""
    found: dict[tuple[int, ...], tuple[Obligation, ...]] = {}
    for case in cases:
        found[case.facts] = found.get(case.facts, ()) + case.obligations
    return tuple(ObligationCase(facts, obligations) for facts, obligations in found.items())
