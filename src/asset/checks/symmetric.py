"""Symmetries for what is asked: finding them, saying what they cost, and undoing them in a run.

The group that is used keeps every property that is asked for, or what it makes of the property can be followed; so the
quotient has all the answers. A run of the quotient jumps from states to representatives; `unwound` takes these jumps
back and gives a run of the model itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from asset.analysis.symmetry.described_program import DescribedProgram, describe
from asset.analysis.symmetry.meanings import meanings_of
from asset.analysis.symmetry.symmetries import Symmetries, symmetries_of
from asset.checks import soundness
from asset.checks.plan import PROPERTY_KINDS, Plan, Question
from asset.checks.replay import ReplayFailed
from asset.engine.outcome import Executable, Finding, Path
from asset.ir.groups import Group, Permutation
from asset.ir.program import Program, Property, Recurrence, State

MOST_STARTS = 256
"""Of symmetric images of the initial state that stubborn set rules are derived for."""

MOST_UNWOUND = 100_000
"""Steps of a run of the model that stands for one of the quotient."""


@dataclass
class Quotient:
    """The executable with representatives by a group."""

    executable: Executable
    group: Group

    def __post_init__(self) -> None:
        self.program = self.executable.program

    def fire(self, state: State, command: int) -> State | None:
        return self.executable.fire(state, command)

    def evaluate(self, prop: Property, state: State) -> str | None:
        return self.executable.evaluate(prop, state)

    def obligations(self, state: State, command: int) -> tuple[int, ...]:
        return self.executable.obligations(state, command)

    def representative(self, state: State) -> State:
        return self.group.representative(state)


def followable(planned: Plan) -> list[Question]:
    """The questions about properties that a symmetry need not keep."""
    stubborn = planned.options.stubborn != "off"
    return [
        q for q in planned.questions if isinstance(q.subject, Property) and soundness.can_be_followed(q.wrong, stubborn)
    ]


def symmetries(program: Program, questions: Sequence[Question], free: Sequence[Question] = ()) -> Symmetries:
    """The symmetries that keep whatever must be kept for the questions; not those that are `free`, but for those of
    them that turn out to have too many meanings."""
    described = _described(program, questions)
    numbers = {q: number for number, prop in enumerate(program.properties) for q in questions if q.subject is prop}
    while True:
        kept = set(described.properties) - {numbers[q] for q in free}
        found = symmetries_of(described.asking(sorted(kept)))
        if found.group is None:
            return found
        known = [(q, meanings_of(described, found.group, numbers[q])) for q in free]
        meanings = {(PROPERTY_KINDS[q.wrong], q.index): m for q, m in known if m is not None and len(m) > 1}
        if all(m is not None for _, m in known):
            return replace(found, group=replace(found.group, meanings=meanings))
        free = [q for q, m in known if m is not None]


def _described(program: Program, questions: Sequence[Question]) -> DescribedProgram:
    kept = [question for question in questions if soundness.must_be_respected(question.wrong)]
    asked = [number for number, prop in enumerate(program.properties) if any(q.subject is prop for q in kept)]
    return describe(program, asked, sum(1 << q.index for q in kept if isinstance(q.subject, Recurrence)))


def costs(program: Program, found: Symmetries) -> list[str]:
    """What keeping the properties costs, a sentence for each that costs something by itself; else one for all."""
    asked = list(found.described.properties)
    free = symmetries_of(found.described.asking([])).order if asked else found.order
    if free == found.order:
        return []
    said = []
    for number in asked:
        order = symmetries_of(found.described.asking([other for other in asked if other != number])).order
        if order != found.order:
            said.append(_cost(program.properties[number].name, order, found.order))
    if said:
        return said
    alone = [number for number in asked if symmetries_of(found.described.asking([number])).order != free]
    return [_cost(" and ".join(program.properties[number].name for number in alone or asked), free, found.order)]


def followed(program: Program, found: Symmetries) -> list[str]:
    """Which properties are followed, a sentence for each."""
    meanings = {} if found.group is None else found.group.meanings
    return [
        f"{program.properties_of(kind)[index].name} is followed through its {len(each)} renamings"
        for (kind, index), each in meanings.items()
    ]


def _cost(name: str, more: int | None, fewer: int | None) -> str:
    return f"without {name}, the group would have {_many(more)} elements instead of {_many(fewer)}"


def _many(order: int | None) -> str:
    return "unknown many" if order is None else f"{order:,}"


def starts(program: Program, group: Group) -> list[State] | None:
    """The images of the initial state; None where there are too many.

    Representatives are reachable from these, not always from the initial state itself.
    """
    found = [program.initial]
    seen = set(found)
    for state in found:  # grows
        for generator in group.generators:
            image = generator.state(state)
            if image not in seen:
                if len(found) == MOST_STARTS:
                    return None
                seen.add(image)
                found.append(image)
    return found


# --- undoing -------------------------------------------------------------------------------------------------------


def unwound(executable: Executable, finding: Finding, group: Group) -> Finding:
    """The finding as a run of the model: each state of it is symmetric to that of the finding in the same place.

    Where the finding ends in a cycle, the run goes round until it comes back to a state of its own.
    """
    return _Unwinding(executable, finding, group).run()


class _Unwinding:
    """`back` leads from where the finding is to where the run is."""

    def __init__(self, executable: Executable, finding: Finding, group: Group) -> None:
        self.executable = executable
        self.finding = finding
        self.group = group
        initial = executable.program.initial
        self.back = group.chosen(initial).inverse()
        self.path: list[tuple[int | None, State]] = [(None, initial)]
        if self.back.state(finding.path[0][1]) != initial:
            raise ReplayFailed("the run does not begin in a state symmetric to the initial one")

    def run(self) -> Finding:
        self._follow(self.finding.path)
        cycle_at = self.finding.cycle_starts_at
        if cycle_at is not None:
            cycle_at = self._round_and_round(cycle_at)
        command = self.finding.command
        renamed = None if command is None else self.back.commands[command]
        return replace(self.finding, path=tuple(self.path), cycle_starts_at=cycle_at, command=renamed)

    def _follow(self, path: Path) -> None:
        """Goes along the steps of the finding, the first state being where it is already."""
        for (_, before), (command, after) in pairwise(path):
            if command is None:
                raise ReplayFailed("a step has no transition")
            jump = self._jump(before, command, after)
            fired = self.back.commands[command]
            state = self.executable.fire(self.path[-1][1], fired)
            self.back = self.back.after(jump.inverse())
            if state is None or self.back.state(after) != state:
                raise ReplayFailed(f"step {len(self.path)} is not symmetric to one of the model")
            self.path.append((fired, state))

    def _jump(self, before: State, command: int, after: State) -> Permutation:
        """The permutation from what the command leads to, to its representative."""
        state = self.executable.fire(before, command)
        jump = None if state is None else self.group.chosen(state)
        if state is None or jump is None or jump.state(state) != after:
            raise ReplayFailed(f"step {len(self.path)} does not lead to a representative")
        return jump

    def _round_and_round(self, cycle_at: int) -> int:
        """Goes round the cycle until a state is met again where it begins; the place of that state in the run."""
        cycle = self.finding.path[cycle_at:]
        met = {self.path[cycle_at][1]: cycle_at}
        while self.path[-1][1] not in met:
            met[self.path[-1][1]] = len(self.path) - 1
            self._follow(cycle)
            if len(self.path) > MOST_UNWOUND:
                raise ReplayFailed("the run takes too long to come back")
        return met[self.path[-1][1]]
