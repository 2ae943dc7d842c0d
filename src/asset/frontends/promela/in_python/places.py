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
AGAIN = "again"
_TAKEN = (END, PROGRESS, ACCEPT, AGAIN, "busy", "finished")


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
        self._words = {place: word for place, word in zip(asked.words, words, strict=True) if words.count(word) == 1}
        """Those that tell one place apart, so that it needs no other label."""
        self._said = frozenset(words)
        self._twins = dict(_twins(kind, asked.resting))
        self._asked = {place: frozenset(self._questions(place, referenced, asked)) for place in kind.control.places}
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
        if place in self._words:
            return self._words[place]
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
        return test if self.kind.single else f"{word}({test} for pid in {range_of(self.kind.pids)})"

    def named(self, label: str) -> str:
        """How places with the label are asked about: not as what one of them waits for."""
        text = _named(label)
        return f"{text} label" if text in self._said else text

    def waiting(self, word: str) -> str:
        """How places are asked about of which the word says what is waited for there."""
        return _named(word)

    def receiving(self, receive: s.Receive) -> str:
        """How places where the message may be received are asked about: not as what one of them waits for."""
        text = _named(source_text(receive.span))
        return f"{text} …" if text in self._said else text

    def _questions(self, place: Element, referenced: Collection[str], more: Asked) -> Iterator[str]:
        control = self.kind.control
        for word, places in ((END, control.ends), (PROGRESS, control.progress), (ACCEPT, control.accepting)):
            if place in places:
                yield word
        for label in referenced:
            if control.labels.get(label) is place:
                yield self.named(label)
        for step in control.steps[place]:
            if isinstance(step.statement, s.Receive) and step.statement in more.receives:
                yield self.receiving(step.statement)
        if place in more.words:
            yield _named(more.words[place])
        if place in self._twins:
            yield self._twins[place]

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


def _twins(kind: Kind, resting: Collection[Element]) -> Iterator[tuple[Element, str]]:
    """Places that are others in SPIN although their steps are the same: the head of a loop in braces, come to from
    above and from its end. Points of Python with the same code ahead are one unless a label tells them apart."""
    found: dict[tuple[object, ...], int] = {}
    for place in resting:
        steps = tuple((step.element, step.target, step.atomic) for step in kind.control.steps[place])
        count = found[steps] = found.get(steps, 0) + 1
        if count > 1:
            yield place, f"{AGAIN} {count - 1}" if count > 2 else AGAIN


def range_of(pids: range) -> str:
    return f"range({f'{pids[0]}, ' if pids[0] else ''}{pids[-1] + 1})"


def _named(label: str) -> str:
    return f"{label} label" if label in _TAKEN else label


def _grouped(tests: list[str]) -> str:
    return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})"
