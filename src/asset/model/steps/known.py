"""Local variables whose value is known at a point: a `match` on one of them goes to its case beforehand.

A variable that says where to go on, as a state machine has it, is no state then: it is the point. This is conditional
constant propagation over the steps of a process: a point knows what all exits that lead to it know.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from enum import Enum

from asset.model.steps.control_flow import takes_all
from asset.model.steps.liveness import read_names
from asset.model.steps.splitting import FINISHED, START, Code, Exit, Segment
from asset.model.syntax_trees import stored_names

Known = dict[str, object]


def with_known(segments: Mapping[int, Segment], scope: Mapping[str, object]) -> dict[int, Segment]:
    """The segments that can be come to, without the cases that cannot. `scope` has what names mean outside."""
    known: dict[int, Known] = {START: {}}
    pending = [START]
    while pending:
        point = pending.pop()
        deciding = _Deciding(scope)
        deciding.code(segments[point].code, dict(known[point]))
        for target, found in deciding.exits:
            before = known.get(target)
            now = found if before is None else _common(before, found)
            if target != FINISHED and now != before:
                known[target] = now
                pending.append(target)
    decided = {
        point: _Deciding(scope).code(segments[point].code, dict(found))[0] for point, found in sorted(known.items())
    }
    read = {name for code in decided.values() for statement in code for name in read_names(statement)}
    written = _Unread(scope, read)
    return {point: replace(segments[point], code=written.code(code)) for point, code in decided.items()}


class _Unread:
    """Leaves out assignments of constants to what is nowhere read: points that differ in them are one."""

    def __init__(self, scope: Mapping[str, object], read: Collection[str]) -> None:
        self._scope, self._read = scope, read

    def code(self, code: Code) -> Code:
        return [self._statement(node) for node in code if not self._is_unread(node)]

    def _is_unread(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in self._read:
                return any(True for _ in constants(value, self._scope))
        return False

    def _statement(self, node: ast.stmt) -> ast.stmt:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                return ast.copy_location(ast.If(test, self._branch(body, node), self.code(orelse)), node)
            case ast.Match(subject=subject, cases=cases):
                found = [ast.match_case(case.pattern, case.guard, self._branch(case.body, node)) for case in cases]
                return ast.copy_location(ast.Match(subject, found), node)
        return node

    def _branch(self, code: Code, at: ast.stmt) -> Code:
        return self.code(code) or [ast.copy_location(ast.Pass(), at)]


def _common(one: Known, other: Known) -> Known:
    return {name: value for name, value in one.items() if name in other and _same(value, other[name])}


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


class _Deciding:
    """Writes code anew with what is known. `exits` are the points that it leads to, with what is known there."""

    def __init__(self, scope: Mapping[str, object]) -> None:
        self._scope = scope
        self.exits: list[tuple[int, Known]] = []

    def code(self, code: Code, known: Known) -> tuple[Code, Known | None]:
        """The code, and what is known at its end; None if that is not come to. `known` is changed."""
        found: Code = []
        for statement in code:
            more, after = self._statement(statement, known)
            found += more
            if after is None:
                return found, None
            known = after
        return found, known

    def _statement(self, node: ast.stmt, known: Known) -> tuple[Code, Known | None]:
        match node:
            case Exit(point=point):
                self.exits.append((point, dict(known)))
                return [node], None
            case ast.Break() | ast.Continue() | ast.Raise():
                return [node], None
            case ast.Match(subject=ast.Name(id=name)) if name in known and self._decided(node, known[name]):
                case = next(self._taken(node, known[name]), None)
                return ([], known) if case is None else self.code(case.body, known)
            case ast.If():
                bodies = [self.code(body, dict(known)) for body in (node.body, node.orelse)]
                copy = ast.If(node.test, bodies[0][0] or [ast.copy_location(ast.Pass(), node)], bodies[1][0])
                return [ast.copy_location(copy, node)], _joined([after for _, after in bodies])
            case ast.Match():
                return self._match(node, known)
            case ast.While() | ast.For():
                self._forget(node, known)
                leaving = (part for part in ast.walk(node) if isinstance(part, Exit))
                self.exits += [(part.point, dict(known)) for part in leaving]
                return [node], known
        self._forget(node, known)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            for value in constants(node.value, self._scope):
                known[node.targets[0].id] = value
        return [node], known

    def _match(self, node: ast.Match, known: Known) -> tuple[Code, Known | None]:
        for case in node.cases:
            for name in stored_names([case.pattern]):
                known.pop(name, None)
        bodies = [self.code(case.body, dict(known)) for case in node.cases]
        cases = [
            ast.match_case(case.pattern, case.guard, body or [ast.copy_location(ast.Pass(), node)])
            for case, (body, _) in zip(node.cases, bodies, strict=True)
        ]
        ends = [after for _, after in bodies] + ([] if takes_all(node) else [known])
        return [ast.copy_location(ast.Match(node.subject, cases), node)], _joined(ends)

    def _forget(self, node: ast.stmt, known: Known) -> None:
        for name in stored_names([node]):
            known.pop(name, None)

    # --- cases --------------------------------------------------------------------------------------------------------

    def _decided(self, node: ast.Match, value: object) -> bool:
        """Whether the value tells which case is taken: the cases up to it compare with constants."""
        for case in node.cases:
            if case.guard is not None:
                return False
            match case.pattern:
                case ast.MatchAs(pattern=None, name=None):
                    return True
                case ast.MatchValue(value=other):
                    for each in constants(other, self._scope):
                        if value == each:
                            return True
                        break
                    else:
                        return False
                case _:
                    return False
        return True

    def _taken(self, node: ast.Match, value: object) -> Iterator[ast.match_case]:
        for case in node.cases:
            match case.pattern:
                case ast.MatchValue(value=other) if value not in list(constants(other, self._scope)):
                    continue
            yield case


def constants(node: ast.expr, scope: Mapping[str, object]) -> Iterator[object]:
    """What the expression is, if it is a constant or a member of an enumeration."""
    match node:
        case ast.Constant(value=value):
            yield value
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            found = scope.get(owner)
            if isinstance(found, type) and issubclass(found, Enum) and name in found.__members__:
                yield found[name]


def _joined(ends: list[Known | None]) -> Known | None:
    """What is known behind branches, of those that come to their end."""
    found = [end for end in ends if end is not None]
    if not found:
        return None
    first, *others = found
    for other in others:
        first = _common(first, other)
    return first
