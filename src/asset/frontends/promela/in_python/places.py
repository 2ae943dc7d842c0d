"""Where processes are, as Python tells it: by the labels of their yields.

A yield has one label, and a process has none where it begins. So places that are asked about in the same ways share a
label; those that are asked about as the beginning is have none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from asset.frontends.promela import syntax as s
from asset.frontends.promela.code import source_text
from asset.frontends.promela.control import Element, Shape, Step
from asset.frontends.promela.layout import Kind

END, PROGRESS, ACCEPT = "end", "progress", "accept"
_TAKEN = (END, PROGRESS, ACCEPT, "busy", "finished")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about places besides: statements that receive by rendezvous, and words for what is waited for."""

    resting: Collection[Element]
    """The places at which a process can be while others go on."""
    receives: Collection[s.Receive]
    words: Mapping[Element, str]


class Places:
    """The places of the processes of one kind. `running` is the attribute that says which of them are there, if they
    are run; `referenced` are the labels that are asked about by name."""

    def __init__(
        self,
        kind: Kind,
        process: str,
        running: str | None,
        referenced: Collection[str],
        asked: Asked,
    ) -> None:
        self.kind = kind
        self._process = process
        self._running = running
        words = [_named(word) for word in asked.words.values()]
        self._words = {word for word in words if words.count(word) == 1}
        """Those that tell one place apart, so that it needs no other label."""
        self._asked = {place: frozenset(_asked(kind, place, referenced, asked)) for place in kind.control.places}
        self._labels = {self.label(place) for place in asked.resting}
        unlabelled = [place for place in asked.resting if not self.label(place)]
        self.first_is_least = running is None or kind.single
        """Whether the first of the processes, as long as there is any, has the least number that there can be."""
        self._begins_apart = unlabelled == [kind.control.start] and "start" not in self._labels
        """Whether a process without a label is where it begins."""

    def label(self, place: Element) -> str:
        """The label of a yield there; empty if it needs none."""
        asked = self._asked[place]
        if asked == self._asked[self.kind.control.start]:
            return ""
        own = [word for word in asked if word in self._words]
        if own:
            return own[0]
        return " and ".join(sorted(asked)) or "busy"

    @property
    def can_end(self) -> bool:
        return any(place.shape is Shape.END for place in self.kind.control.places)

    def is_there(self, pid: str) -> str:
        """Whether the process has not ended."""
        if self._running is not None:
            return self._runs(pid)
        return f"not {self._at(('finished',), pid)[0]}"

    @property
    def may_idle(self) -> bool:
        """Whether a step, or an atomic sequence, may lead to where it begins, so that it may change nothing."""
        steps = self.kind.control.steps
        return any(place in _ends(step, steps) for place, found in steps.items() for step in found)

    def may_end(self, pid: str) -> str:
        """Whether the process may end where it is."""
        inside, others = self._split(END)
        if "" in inside:
            return f"not {_grouped(self._at(others, pid))}" if others else "True"
        there = {*inside, "finished"} if self._running is None else inside
        tests = [*self._at(there, pid), *([] if self._running is None else [f"not {self._runs(pid)}"])]
        return " or ".join(tests)

    def at(self, asked: str, pid: str) -> str:
        """Whether the process is at a place that is asked about so."""
        inside, others = self._split(asked)
        if "" not in inside:
            return _grouped(self._at(inside, pid)) if inside else "False"
        if len(others) > 1 and self._begins_apart:
            there = _grouped(self._at({*inside - {""}, "start"}, pid))
            return there if self._running is None else f"({self._runs(pid)} and {there})"
        elsewhere = [
            f"not {test}" for test in self._at({*others, "finished"} if self._running is None else others, pid)
        ]
        return f"({' and '.join([*([] if self._running is None else [self._runs(pid)]), *elsewhere])})"

    def any_at(self, asked: str) -> str | None:
        """Whether some process of the kind is at such a place; None if there is no such place."""
        if not any(asked in each for each in self._asked.values()):
            return None
        return self.of_all("any", self.at(asked, "pid"))

    def of_all(self, word: str, test: str) -> str:
        first, last = self.kind.pids[0], self.kind.pids[-1]
        return test if self.kind.single else f"{word}({test} for pid in range({first}, {last + 1}))"

    def named(self, label: str) -> str:
        """How places with the label are asked about."""
        return _named(label)

    def _split(self, asked: str) -> tuple[set[str], set[str]]:
        inside = {self.label(place) for place, each in self._asked.items() if asked in each} & self._labels
        return inside, self._labels - inside

    def _at(self, labels: Collection[str], pid: str) -> list[str]:
        index = "" if self.kind.single else f", {pid}"
        return [f'self.at(self.{self._process}{index}, "{label}")' for label in sorted(labels)]

    def _runs(self, pid: str) -> str:
        first = self.kind.pids[0]
        own = "" if self.kind.single else f"[{pid}{f' - {first}' if first else ''}]"
        return f"self.{self._running}{own}"


def _ends(step: Step, steps: Mapping[Element, Sequence[Step]]) -> set[Element]:
    """Where a process may be after the step: an atomic sequence may be interrupted anywhere."""
    found, pending = set[Element](), [step]
    while pending:
        step = pending.pop()
        if step.target is not None and step.target not in found:
            found.add(step.target)
            pending += steps.get(step.target, ()) if step.atomic else ()
    return found


def _asked(kind: Kind, place: Element, referenced: Collection[str], more: Asked) -> Iterator[str]:
    control = kind.control
    for word, places in ((END, control.ends), (PROGRESS, control.progress), (ACCEPT, control.accepting)):
        if place in places:
            yield word
    for label in referenced:
        if control.labels.get(label) is place:
            yield _named(label)
    for step in control.steps[place]:
        if isinstance(step.statement, s.Receive) and step.statement in more.receives:
            yield _named(source_text(step.statement.span))
    if place in more.words:
        yield _named(more.words[place])


def _named(label: str) -> str:
    return f"{label} label" if label in _TAKEN else label


def _grouped(tests: list[str]) -> str:
    return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})"
