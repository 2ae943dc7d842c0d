"""Where a step of a process meets a step of another one: it sends by a synchronous channel, or receives.

The code of a step may have several such places on different paths. For each of them there is the part of the code that
leads there: what other paths do is disabled in it. The rest, without any of these places, is the step that the process
takes alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NoReturn

from asset.errors import ModelRejected
from asset.model.spans import span_of
from asset.model.steps.control_flow import takes_all
from asset.model.steps.splitting import Code, Exit, completes
from asset.model.synchronous import Synchronous
from asset.model.syntax_trees import WHEN, copied, placed

_ALONE = "write it as a statement of its own: self.c.send(value), or x = self.c.receive()"


@dataclass(frozen=True, slots=True)
class Meeting:
    """A statement that sends by a channel, or receives."""

    at: ast.stmt
    channel: str
    place: tuple[ast.expr, ...]
    """The indices of the channel."""
    sent: ast.expr | None
    """None if it receives."""

    def never_meets(self, other: Meeting) -> bool:
        """Whether the two name different channels."""
        if self.channel != other.channel:
            return True
        pairs = zip(self.place, other.place, strict=True)
        return any(isinstance(a, ast.Constant) and isinstance(b, ast.Constant) and a.value != b.value for a, b in pairs)


class Meetings:
    """Finds where the steps of a process meet others, and takes their code apart."""

    def __init__(self, function: FunctionType, itself: str, channels: Mapping[str, Synchronous]) -> None:
        self._function, self._itself, self._channels = function, itself, channels

    def of(self, code: Code) -> list[Meeting]:
        """The places where the code meets another step; at most one of them is on a path."""
        if not self._channels or not any(map(self._names_channel, _within(code))):
            return []
        self._met(code, False)
        return list(self._found(code))

    def alone(self, code: Code) -> Code | None:
        """The code without what meets another step; None if each of its paths does."""
        found = {id(each.at) for each in self._found(code)}
        if not found:
            return code
        return _blocked(code, found, exits=False) if _unmet(code, found)[0] else None

    def leading_to(self, code: Code, meeting: Meeting, instead: Code) -> Code:
        """The paths that come to the meeting, with something else in the place of its statement."""
        found = {id(each.at) for each in self._found(code)}
        return _Leading(meeting.at, found, instead).code(code)

    # --- statements ---------------------------------------------------------------------------------------------------

    def _found(self, code: Code) -> Iterator[Meeting]:
        for statement in code:
            meeting = self.meeting(statement)
            if meeting is not None:
                yield meeting
            else:
                for block in _blocks(statement):
                    yield from self._found(block)

    def meeting(self, statement: ast.stmt) -> Meeting | None:
        """What the statement sends or receives, if it does nothing else."""
        match statement:
            case ast.Expr(value=ast.Call() as call):
                return self._called(statement, call, ("send", "receive"))
            case ast.Assign(targets=[_], value=ast.Call() as call) | ast.AnnAssign(value=ast.Call() as call):
                return self._called(statement, call, ("receive",))
        return None

    def _called(self, at: ast.stmt, call: ast.Call, words: tuple[str, ...]) -> Meeting | None:
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in words:
            return None
        place: list[ast.expr] = []
        channel = call.func.value
        while isinstance(channel, ast.Subscript):
            place.insert(0, channel.slice)
            channel = channel.value
        if not isinstance(channel, ast.Attribute) or not self._names_channel(channel):
            return None
        count = len(self._channels[channel.attr].lengths)
        if len(place) != count:
            text = f"self.{channel.attr} has {count or 'no'} {'index' if count == 1 else 'indices'}"
            self._reject(channel, text, f"write self.{channel.attr}{'[i]' * count}.{call.func.attr}(…)")
        sends = call.func.attr == "send"
        if call.keywords or len(call.args) != sends or any(isinstance(a, ast.Starred) for a in call.args):
            takes = "one message; several values are a tuple" if sends else "nothing"
            self._reject(call, f"{call.func.attr} takes {takes}", "write self.c.send((a, b)), or x = self.c.receive()")
        for part in (*place, *call.args):
            for node in ast.walk(part):
                if self._names_channel(node):
                    self._reject(part, "a synchronous channel holds nothing, and is no value", _ALONE)
        return Meeting(at, channel.attr, tuple(place), call.args[0] if sends else None)

    def _names_channel(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == self._itself
            and node.attr in self._channels
        )

    def _met(self, code: Code, met: bool) -> bool:
        """Whether the end of the code may be come to behind a meeting; `met`: whether its beginning may."""
        for statement in code:
            blocks = _blocks(statement)
            if self.meeting(statement) is not None:
                if met:
                    self._reject(statement, "this step has met another one already", "yield between them")
                met = True
            elif blocks:
                self._reject_channels(_heads(statement))
                met = any([self._met(block, met) and completes(block) for block in blocks])
            else:
                self._reject_channels([statement])
        return met

    def _reject_channels(self, nodes: Iterable[ast.AST]) -> None:
        """No channel may be named here."""
        for node in nodes:
            part = next((p for p in ast.walk(node) if self._names_channel(p)), None)
            if isinstance(part, ast.expr) and isinstance(node, ast.For | ast.While):
                self._reject(part, "a step meets another one in a loop that it runs as a whole", "yield in the loop")
            if isinstance(part, ast.expr):
                self._reject(part, "a synchronous channel sends or receives, and nothing else", _ALONE)

    def _reject(self, node: ast.expr | ast.stmt, message: str, remedy: str) -> NoReturn:
        columns = (node.col_offset, node.end_col_offset or node.col_offset + 1)
        file = self._function.__code__.co_filename
        raise ModelRejected.of(message, span_of(file, node.lineno, node.end_lineno or node.lineno, columns), remedy)


def _within(code: Code) -> Iterator[ast.AST]:
    return (part for statement in code for part in ast.walk(statement))


def _blocks(statement: ast.stmt) -> list[Code]:
    """The branches of the statement, one of which is run; an `else` that is not there is one, too."""
    match statement:
        case ast.If(body=body, orelse=orelse):
            return [body, orelse]
        case ast.Match(cases=cases):
            return [case.body for case in cases] + ([] if takes_all(statement) else [[]])
    return []


def _heads(statement: ast.stmt) -> Iterator[ast.AST]:
    """What decides between the branches."""
    match statement:
        case ast.If(test=test):
            yield test
        case ast.Match(subject=subject, cases=cases):
            yield subject
            yield from (case.guard for case in cases if case.guard is not None)


def _unmet(code: Code, meetings: set[int]) -> tuple[bool, bool]:
    """Whether a path without a meeting leaves the step, and whether one comes to the end of the code."""
    leaves = False
    for statement in code:
        blocks = _blocks(statement)
        if id(statement) in meetings:
            return leaves, False
        if isinstance(statement, Exit | ast.Raise):
            return True, False
        if blocks:
            found = [_unmet(block, meetings) for block in blocks]
            leaves |= any(left for left, _ in found)
            if not any(ended for _, ended in found):
                return leaves, False
        leaves |= not blocks and any(isinstance(part, Exit) for part in ast.walk(statement))
    return leaves, True


def _disabled(at: ast.stmt) -> ast.stmt:
    return _when(ast.Constant(False), at)


def _when(test: ast.expr, at: ast.stmt) -> ast.stmt:
    return placed(ast.Expr(ast.Call(ast.Name(WHEN, ast.Load()), [test], [])), at)


class _Blocking(ast.NodeTransformer):
    """Some statements, and exits if so asked, as what disables the step."""

    def __init__(self, blocked: set[int], exits: bool) -> None:
        self._blocked, self._exits = blocked, exits

    def statement(self, node: ast.stmt) -> ast.stmt:
        found: ast.stmt = self.visit(node)
        return found

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.stmt) and (id(node) in self._blocked or (self._exits and isinstance(node, Exit))):
            return _disabled(node)
        return self.generic_visit(node) if isinstance(node, ast.stmt | ast.match_case) else node


def _blocked(code: Code, meetings: set[int], exits: bool) -> Code:
    memo: dict[int, object] = {}
    copy = copied(code, memo)
    same = {id(memo[each]) for each in meetings if each in memo}
    return [_Blocking(same, exits).statement(statement) for statement in copy]


class _Leading:
    """The code of the paths that come to one statement."""

    def __init__(self, target: ast.stmt, meetings: set[int], instead: Code) -> None:
        self._target, self._meetings, self._instead = target, meetings - {id(target)}, instead

    def code(self, code: Code) -> Code:
        at = next(k for k, statement in enumerate(code) if self._has(statement))
        here, found = code[at], _blocked(code[:at], self._meetings, exits=True)
        match here:
            case ast.If(test=test, body=body, orelse=orelse):
                taken = any(map(self._has, body))
                test = copied(test) if taken else placed(ast.UnaryOp(ast.Not(), copied(test)), here)
                found += [_when(test, here), *self.code(body if taken else orelse)]
            case ast.Match():
                found += self._case(here)
            case _:
                found += self._instead
        return found + copied(code[at + 1 :]) if completes(found) else found

    def _has(self, statement: ast.stmt) -> bool:
        return statement is self._target or any(self._has(each) for block in _blocks(statement) for each in block)

    def _case(self, at: ast.Match) -> Code:
        """The case that has the statement; others are disabled."""
        number = next(k for k, case in enumerate(at.cases) if any(map(self._has, case.body)))
        patterns = [case.pattern for case in at.cases[: number + 1]]
        *before, own = patterns
        plain = all(isinstance(p, ast.MatchValue) for p in before) and not any(c.guard for c in at.cases[: number + 1])
        body = self.code(at.cases[number].body)
        if plain and isinstance(own, ast.MatchValue):
            return [_when(_compared(at.subject, ast.Eq(), own.value), at), *body]
        if plain and isinstance(own, ast.MatchAs) and own.pattern is None and own.name is None:
            tests = [_compared(at.subject, ast.NotEq(), p.value) for p in before if isinstance(p, ast.MatchValue)]
            return [*(_when(test, at) for test in tests), *body]
        cases = [
            ast.match_case(deepcopy(c.pattern), deepcopy(c.guard), body if k == number else [_disabled(at)])
            for k, c in enumerate(at.cases)
        ]
        if not takes_all(at):
            cases.append(ast.match_case(ast.MatchAs(), None, [_disabled(at)]))
        return [ast.copy_location(ast.Match(deepcopy(at.subject), cases), at)]


def _compared(subject: ast.expr, op: ast.cmpop, value: ast.expr) -> ast.expr:
    return placed(ast.Compare(copied(subject), [op], [copied(value)]), subject)
