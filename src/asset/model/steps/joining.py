"""Joint steps: one process sends by a synchronous channel, another one receives, and both go on.

The step of the sender comes first as a whole, then that of the receiver, with what was sent. Both are one function: if
anything in it is disabled, nothing has happened.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from types import CellType, FunctionType

from asset.errors import ModelRejected
from asset.model.spans import line_span
from asset.model.steps.building import Part, ProcessState, built, point_name
from asset.model.steps.meeting import Meeting, Meetings
from asset.model.steps.points import Point, Split
from asset.model.steps.reading import NameReplacer
from asset.model.steps.splitting import Code
from asset.model.synchronous import Synchronous
from asset.model.syntax_trees import WHEN, copied, placed, stored_names

PLACE, MESSAGE = "channel.place", "channel.message"
"""Names that no modeller can write."""


@dataclass(frozen=True, slots=True)
class Side:
    """A process that may meet others."""

    split: Split
    state: ProcessState
    meetings: Meetings


@dataclass(frozen=True, slots=True)
class JointStep:
    """What two processes do together. `received` are the names that the receiver's indices have there."""

    function: FunctionType
    sides: tuple[str, str]
    points: tuple[Point, Point]
    received: Mapping[str, str]
    values: Mapping[str, tuple[int, ...]]
    """What is chosen, by the names of the indices."""


def joint_steps(
    sides: Sequence[Side], channels: Mapping[str, Synchronous], when: Callable[[object], None]
) -> Iterator[JointStep]:
    """All pairs of a place that sends and one that receives, if these may name the same channel."""
    found = [
        (side, point, meeting)
        for side in sides
        for point in side.split.points
        if point.segment is not None
        for meeting in side.meetings.of(point.segment.code)
    ]
    names: dict[str, int] = {}
    for sender in found:
        for receiver in found:
            alone = sender[0] is receiver[0] and not sender[0].split.indices
            if sender[2].sent is None or receiver[2].sent is not None or alone:
                continue
            if not sender[2].never_meets(receiver[2]):
                yield _Joining(sender, receiver, channels[sender[2].channel], names).step(when)


Found = tuple[Side, Point, Meeting]


class _Joining:
    def __init__(self, sender: Found, receiver: Found, channel: Synchronous, names: dict[str, int]) -> None:
        self._sender, self._receiver, self._channel, self._names = sender, receiver, channel, names
        self._require_common_surroundings()

    def step(self, when: Callable[[object], None]) -> JointStep:
        received, sent = self._part(self._receiver, self._taken()), self._part(self._sender, self._given())
        body, renaming = self._renamed(received, sent)
        sent.objects |= received.objects | self._cells()
        arguments = (*sent.arguments, *(renaming[name] for name in received.arguments))
        code = sent.body([*self._of_another(renaming), *body])
        values = {choice.name: choice.values for choice in sent.choices}
        values |= {renaming[choice.name]: choice.values for choice in received.choices}
        indices = {name: renaming[name] for name in self._receiver[0].split.indices}
        names = (self._sender[0].state.name, self._receiver[0].state.name)
        function = built(self._name(), sent, arguments, code, when)
        return JointStep(function, names, (self._sender[1], self._receiver[1]), indices, values)

    def _part(self, found: Found, instead: Code) -> Part:
        side, point, meeting = found
        assert point.segment is not None
        code = side.meetings.leading_to(point.segment.code, meeting, instead)
        return Part(side.split, side.state, point, code, narrow=True)

    def _name(self) -> str:
        (sender, at, _), (receiver, other, _) = self._sender, self._receiver
        name = f"{sender.state.name}@{point_name(at)} meets {receiver.state.name}@{point_name(other)}"
        count = self._names[name] = self._names.get(name, 0) + 1
        return name if count == 1 else f"{name} #{count}"

    # --- what is sent ---------------------------------------------------------------------------------------------

    def _given(self) -> Code:
        """What the sender does in the place of sending."""
        _, _, meeting = self._sender
        assert meeting.sent is not None
        code: list[ast.stmt] = [_assign(f"{PLACE}.{k}", each) for k, each in enumerate(meeting.place)]
        code += self._within(meeting, [f"{PLACE}.{k}" for k in range(len(meeting.place))])
        parts = meeting.sent.elts if isinstance(meeting.sent, ast.Tuple) else [meeting.sent]
        code += [_assign(name, part) for name, part in zip(self._messages(), parts, strict=True)]
        return [placed(statement, meeting.at) for statement in code]

    def _messages(self) -> list[str]:
        sent = self._sender[2].sent
        return [f"{MESSAGE}.{k}" for k in range(len(sent.elts))] if isinstance(sent, ast.Tuple) else [MESSAGE]

    def _taken(self) -> Code:
        """What the receiver does in the place of receiving."""
        meeting = self._receiver[2]
        own = [f"{PLACE}.{k}.own" for k in range(len(meeting.place))]
        code: list[ast.stmt] = [_assign(name, each) for name, each in zip(own, meeting.place, strict=True)]
        code += self._within(meeting, own)
        for k, name in enumerate(own):
            code.append(_when(ast.Compare(_name(name), [ast.Eq()], [_name(f"{PLACE}.{k}")])))
        parts: list[ast.expr] = [_name(name) for name in self._messages()]
        is_tuple = isinstance(self._sender[2].sent, ast.Tuple)
        message = ast.Tuple(parts, ast.Load()) if is_tuple else parts[0]
        match meeting.at:
            case ast.Assign(targets=targets):
                code.append(ast.Assign(deepcopy(targets), message))
            case ast.AnnAssign(target=target):
                code.append(ast.Assign([deepcopy(target)], message))
        return [placed(statement, meeting.at) for statement in code]

    def _within(self, meeting: Meeting, names: Sequence[str]) -> Iterator[ast.stmt]:
        """The channel must be there."""
        for index, name, length in zip(meeting.place, names, self._channel.lengths, strict=True):
            if not (isinstance(index, ast.Constant) and index.value in range(length)):
                bounds = ast.Compare(ast.Constant(0), [ast.LtE(), ast.Lt()], [_name(name), ast.Constant(length)])
                yield ast.Assert(bounds, ast.Constant(f"there is no such channel: self.{meeting.channel} has {length}"))

    # --- names ----------------------------------------------------------------------------------------------------

    def _renamed(self, received: Part, sent: Part) -> tuple[Code, dict[str, str]]:
        """The receiver's part with names of its own, and these; what both name besides is the same."""
        body = received.body()
        own = {*stored_names(body), *received.arguments}
        sender, receiver = sent.split, received.split
        outer = {p.id for statement in body for p in ast.walk(statement) if isinstance(p, ast.Name)} - own
        renaming = {name: f"{name}'" for name in own}
        senders = {*stored_names(sent.body()), *sent.arguments}
        used = senders | own | outer
        for name in received.arguments:
            renaming[name] = _free(name, used)
            used.add(renaming[name])
        hidden = outer & senders - {receiver.itself} - _sent_names(outer)
        if hidden:
            name = min(hidden)
            met = receiver.function.__name__
            what = f"{name} is a variable of {sender.function.__name__}, and another name in {met}, which it meets"
            self._reject(what, "give the variable another name")
        replacing = NameReplacer({**renaming, receiver.itself: sender.itself})
        return [replacing.visit(statement) for statement in body], renaming

    def _of_another(self, renaming: Mapping[str, str]) -> Code:
        """No process meets itself."""
        (side, _, _), (other, _, _) = self._sender, self._receiver
        if side is not other:
            return []
        same: list[ast.expr] = [
            ast.Compare(_name(name), [ast.Eq()], [_name(renaming[name])]) for name in side.split.indices
        ]
        test = same[0] if len(same) == 1 else ast.BoolOp(ast.And(), same)
        return [_when(ast.UnaryOp(ast.Not(), test))]

    def _require_common_surroundings(self) -> None:
        """The code of both is put into one function, where a name means one thing."""
        sender, receiver = self._sender[0].split.function, self._receiver[0].split.function
        cells, known = self._cells(), dict(_closure(sender))
        if receiver.__globals__ is not sender.__globals__ or any(
            known.get(name, cell) is not cell or (name not in known and name in sender.__code__.co_names)
            for name, cell in cells.items()
        ):
            what = f"{sender.__name__} meets {receiver.__name__}, which is defined in other surroundings"
            self._reject(what, "define both processes in one file, beside each other")

    def _cells(self) -> dict[str, CellType]:
        return _closure(self._receiver[0].split.function)

    def _reject(self, message: str, remedy: str) -> None:
        code = self._sender[0].split.function.__code__
        raise ModelRejected.of(message, line_span(code.co_filename, self._sender[2].at.lineno), remedy)


def _closure(function: FunctionType) -> dict[str, CellType]:
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def _sent_names(names: set[str]) -> set[str]:
    """Those of the channel and of the message, which the receiver has from the sender."""
    return {name for name in names if name.startswith((PLACE, MESSAGE))}


def _free(name: str, used: set[str]) -> str:
    """A name for an index that is like the given one, and is not used."""
    while name in used:
        name += "_"
    return name


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], copied(value))


def _when(test: ast.expr) -> ast.stmt:
    return ast.Expr(ast.Call(_name(WHEN), [test], []))
