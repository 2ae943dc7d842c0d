"""Which numbers processes can have: every order in which they can be made and gone is followed.

A process has the number of processes there were when it was made, and only the youngest can go. What matters of a
process is which `run` it can execute next, and whether it can end; when it does so is left open. So what can be is a
stack of processes. If a process is sure to go on to its next `run` in an atomic sequence, no other one comes between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from asset.frontends.promela import syntax as s
from asset.frontends.promela.control import Control, Element, Shape
from asset.frontends.promela.instances import MOST_PROCESSES, Followed, Made, Situation, following, is_true
from asset.frontends.promela.naming import parts_of

MOST_STACKS = 5_000

Onward = tuple[Made, Situation, bool]
"""A `run`: what it makes, where the process is after it, and whether that is in the same atomic sequence."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A process: where it was when it was made or after its last `run`; None if it executes none any more."""

    sort: Made
    at: Situation | None


Stack = tuple[Standing, ...]


def numbers_of(module: s.Module, controls: Mapping[str, Control]) -> dict[str, range]:
    """By kind, if how many there can be is known of each; nothing is said if it takes too long."""
    active = [process.name for process in module.processes for _ in range(process.active)]
    return _Numbering({process.name: process for process in module.processes}, controls).numbers(active) or {}


@dataclass(slots=True)
class _Numbering:
    processes: Mapping[str, s.Proctype]
    controls: Mapping[str, Control]
    _followed: dict[Made, Followed] = field(default_factory=dict)
    _ending: dict[Standing, bool] = field(default_factory=dict)
    _onward: dict[tuple[Made, Situation, bool], tuple[list[Onward], bool]] = field(default_factory=dict)

    def numbers(self, active: Sequence[str]) -> dict[str, range] | None:
        """By kind, of those that are active at first and of those that are made; None if that takes too long."""
        start = tuple(self._new((name, ())) for name in active)
        found = {name: {number for number, each in enumerate(active) if each == name} for name in active}
        seen: set[tuple[Stack, int | None]] = {(start, None)}
        pending: list[tuple[Stack, int | None]] = [(start, None)]
        while pending:
            stack, going_on = pending.pop()
            if len(seen) > MOST_STACKS or len(stack) > MOST_PROCESSES:
                return None
            for after in self._after(stack, going_on):
                if len(after[0]) > len(stack):
                    found.setdefault(after[0][-1].sort[0], set()).add(len(stack))
                if after not in seen:
                    seen.add(after)
                    pending.append(after)
        return {name: range(min(numbers), max(numbers) + 1) for name, numbers in found.items()}

    def _follow(self, sort: Made) -> Followed:
        if sort not in self._followed:
            self._followed[sort] = following(self.processes, self.controls[sort[0]], sort)
        return self._followed[sort]

    def _after(self, stack: Stack, going_on: int | None) -> Iterator[tuple[Stack, int | None]]:
        if going_on is None and stack and self._can_end(stack[-1]):
            yield stack[:-1], None
        for number in range(len(stack)) if going_on is None else [going_on]:
            each = stack[number]
            if each.at is None:
                continue
            for made, at, atomic in self._runs(each.sort, each.at, going_on is not None)[0]:
                after = (*stack[:number], self._standing(each.sort, at), *stack[number + 1 :], self._new(made))
                yield after, number if atomic and self._is_sure(each.sort, at) else None

    def _new(self, sort: Made) -> Standing:
        """Processes that make no others need not be followed."""
        if not any(isinstance(node, s.Run) for node in parts_of(self.processes[sort[0]].body)):
            return Standing((sort[0], ()), None)
        return self._standing(sort, self._follow(sort).start)

    def _standing(self, sort: Made, at: Situation) -> Standing:
        goes_on = bool(self._runs(sort, at, False)[0])
        return Standing(sort if goes_on else (sort[0], ()), at if goes_on else None)

    def _can_end(self, each: Standing) -> bool:
        """Whether the process may come to its end before it executes another `run`."""
        if each not in self._ending:
            places = self.controls[each.sort[0]].places if each.at is None else self._before_runs(each.sort, each.at)
            self._ending[each] = any(place.shape is Shape.END for place in places)
        return self._ending[each]

    def _before_runs(self, sort: Made, at: Situation) -> Iterator[Element]:
        """The places that the process may come to from there before it executes another `run`."""
        seen, pending = {at}, [at]
        while pending:
            here = pending.pop()
            yield here[0]
            for made, target, _ in self._follow(sort).edges[here]:
                if target not in seen and (made is None or made[0] not in self.processes):
                    seen.add(target)
                    pending.append(target)

    def _is_sure(self, sort: Made, at: Situation) -> bool:
        """Whether the process goes on to a `run` without a pause, whatever it does."""
        runs, pauses = self._runs(sort, at, True)
        return bool(runs) and not pauses

    def _runs(self, sort: Made, at: Situation, at_once: bool) -> tuple[list[Onward], bool]:
        """What can be made next; if `at_once`, without a pause before it. And whether there may be one, if the process
        is inside an atomic sequence."""
        key = (sort, at, at_once)
        if key not in self._onward:
            pauses, found = False, dict[Onward, None]()
            seen, pending = {at}, [at]
            while pending:
                here = pending.pop()
                may_wait = not self._goes_on(sort, here)
                pauses |= may_wait
                for made, target, atomic in self._follow(sort).edges[here] if not (at_once and may_wait) else ():
                    if made is not None and made[0] in self.processes:
                        found[made, target, atomic] = None
                        continue
                    pauses |= not atomic
                    if target not in seen and (atomic or not at_once):
                        seen.add(target)
                        pending.append(target)
            self._onward[key] = list(found), pauses
        return self._onward[key]

    def _goes_on(self, sort: Made, at: Situation) -> bool:
        """Whether the process can execute something there, whatever others do."""
        steps, known = self.controls[sort[0]].steps[at[0]], dict(at[1])
        return self.processes[sort[0]].provided is None and any(_is_free(step.statement, known) for step in steps)


def _is_free(statement: s.Stmt | None, known: Mapping[s.Declaration, int]) -> bool:
    """Whether the statement can be executed in any case."""
    match statement:
        case s.Else() | s.Assign() | s.Assert() | s.Print() | s.Discard() | s.Condition(value=s.Run()):
            return True
        case s.Condition(value=value):
            return is_true(value, known)
    return False
