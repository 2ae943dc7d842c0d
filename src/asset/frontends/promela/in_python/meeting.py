"""Rendezvous as synchronous channels of Python: sender and receiver make one step.

Whether a message would be taken now is asked by `else`, and inside of atomic sequences: then places that receive it
have labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from asset.frontends.promela import syntax as s
from asset.frontends.promela.control import Element, Step
from asset.frontends.promela.in_python.channels import Channels, Group
from asset.frontends.promela.in_python.expressions import Expressions, given, taken
from asset.frontends.promela.in_python.names import Unsaid
from asset.frontends.promela.in_python.places import Places, range_of
from asset.frontends.promela.layout import Kind

_LOOSE = re.compile(r"\b(if|and|or|not)\b|[=!<>]=|(?<!<)<(?!<)|(?<!>)>(?!>)")
"""Operators that bind no tighter than a comparison."""


def meets(channels: Channels, statement: s.Stmt | None) -> bool:
    """Whether the statement sends or receives by rendezvous."""
    if not isinstance(statement, s.Send | s.Receive) or not channels.names_some(statement.channel):
        return False
    return channels.group(statement.channel).capacity == 0


def require_plain_meetings(channels: Channels, kinds: Iterable[Kind]) -> None:
    """A process in the midst of a step receives nothing: it must be at rest. A choice that it comes to in the midst of
    one, and where it can also rest, would have to know which is the case."""
    for kind in kinds:
        for place, steps in kind.control.steps.items():
            own = [step for step in steps if step.escape is None]
            received = next((e.statement for e in own if _receives(channels, e.statement)), None)
            if received is not None and len(own) > 1 and is_entered_atomically(kind, place):
                said = "a receive by rendezvous as one of several options inside of an atomic sequence"
                raise Unsaid(said, received.span, "end the atomic sequence before the choice")


def _receives(channels: Channels, statement: s.Stmt | None) -> bool:
    return isinstance(statement, s.Receive) and meets(channels, statement)


def is_entered_atomically(kind: Kind, place: Element) -> bool:
    return any(step.atomic and step.target is place for steps in kind.control.steps.values() for step in steps)


class Awaiting:
    """Says whether some process takes a message now. `asked` are the receives that have been asked about."""

    def __init__(self, channels: Channels, places: Mapping[str, Places], writing: Callable[[str], Expressions]) -> None:
        self._channels, self._places, self._writing = channels, places, writing
        self.asked: set[s.Receive] = set()

    def test(self, send: s.Send, write: Expressions) -> str:
        """Whether the message of the process would be taken."""
        group = self._channels.group(send.channel)
        found: list[str] = []
        for places in self._places.values():
            kind = places.kind
            if kind is write.kind and kind.single:
                continue
            tests = dict.fromkeys(
                test
                for place in kind.control.places
                for step in kind.control.steps[place]
                if (test := self._takes(send, group, write, step, places)) is not None
            )
            for test in tests:
                others = " if k != pid" if kind is write.kind else ""
                found.append(test if kind.single else f"any({test} for k in {range_of(kind.pids)}{others})")
        return " or ".join(f"({test})" if " and " in test and len(found) > 1 else test for test in found) or "False"

    def _takes(self, send: s.Send, group: Group, write: Expressions, step: Step, places: Places) -> str | None:
        """Whether process k of the kind is where the step begins, and takes the message; None if it never does."""
        receive = step.statement
        if not isinstance(receive, s.Receive) or not meets(self._channels, receive):
            return None
        if self._channels.group(receive.channel) is not group:
            return None
        if any(each.escape is not None for steps in places.kind.control.steps.values() for each in steps):
            raise Unsaid("whether a message is taken by a process that may escape", receive.span, "leave atomic out")
        tests = [places.at(places.receiving(receive), "k")]
        reading = self._writing(places.kind.name)
        reading.pid = "k"
        given = reading.provided()
        tests += [] if given is None else [f"({given})" if " or " in given else given]
        pairs = [(write.named(send.channel), reading.named(receive.channel))]
        pairs += _matched(send, receive, group, write, reading)
        for ours, theirs in pairs:
            if ours in write.values and theirs in write.values:
                if ours != theirs:
                    return None
            else:
                tests.append(f"{_operand(ours)} == {_operand(theirs)}")
        self.asked.add(receive)
        return " and ".join(tests)


def _operand(code: str) -> str:
    """The code as one side of a comparison."""
    return f"({code})" if _LOOSE.search(code) else code


def _matched(
    send: s.Send, receive: s.Receive, group: Group, write: Expressions, reading: Expressions
) -> Iterator[tuple[str, str]]:
    """What is sent, with what the receiver asks for."""
    for argument, sent, type in zip(taken(receive, group), given(send, group), group.fields, strict=True):
        if argument.matched and argument.value is not None:
            yield write.passed(sent, type), reading.passed(argument.value, type)
