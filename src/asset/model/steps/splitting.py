"""The steps of a process: the code from each point where it may wait to the points where it may wait next.

Points are the beginning and the yields. The code of a step is closed: each of its paths ends in an `Exit`. A loop
that cannot come back to its head within a step is no loop in the step: one round at most is run, so its test is an
`if`. A jump (break, continue, the end of a helper process) is replaced by the code that it leads to, up to the next
exits.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import NoReturn, TypeVar

from asset.model.steps.choosing import choices_in
from asset.model.steps.control_flow import (
    Block,
    Flow,
    For,
    Goto,
    If,
    Jump,
    Match,
    Plain,
    Scope,
    While,
    Yield,
    comes_back,
    takes_all,
    yields_of,
)
from asset.model.steps.reading import Reader
from asset.model.syntax_trees import copied, placed

START, FINISHED = 0, -1
WORK = 50_000
"""Statements that the steps of one process may have together."""
Code = list[ast.stmt]
Continuation = Callable[[], Code]
N = TypeVar("N", bound=ast.AST)


class Exit(ast.Pass):
    """The end of a step: the process waits at the point, or has finished."""

    _fields = ("point",)

    def __init__(self, point: int = FINISHED) -> None:
        super().__init__()
        self.point = point


class ChoiceMade(ast.Pass):
    """The choice of this number is made here; its alternatives may read variables."""

    _fields = ("choice", "call")

    def __init__(self, choice: int = 0, call: ast.Call | None = None) -> None:
        super().__init__()
        self.choice = choice
        self.call = call


@dataclass(slots=True)
class Segment:
    """The code of one step, and the calls of `choose` in it."""

    code: Code = field(default_factory=list)
    choices: list[ast.Call] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Exits:
    """What follows the end of a block, and its jumps."""

    end: Continuation
    break_: Continuation
    continue_: Continuation
    leave: Continuation


class Splitter:
    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._resume: dict[int, Continuation] = {}
        self._numbers: dict[Yield, int] = {}
        self._work = 0
        self._depth = 0  # of loops that are loops in the step too
        self._segment = Segment()
        self._choices: dict[int, int] = {}

    def segments(self, process: Block) -> dict[int, Segment]:
        """The segment of each point: of the beginning, and of each yield in the order of the text."""
        self._numbers = {y: number for number, y in enumerate(yields_of(process), START + 1)}
        finish: Continuation = lambda: [self._exit(FINISHED, self._reader.tree.body[-1])]  # noqa: E731
        whole = Exits(finish, _impossible, _impossible, finish)
        self._resume[START] = lambda: self._emit(process, whole)
        self._register(process, whole)
        return {point: self._segment_from(resume) for point, resume in self._resume.items()}

    def _segment_from(self, resume: Continuation) -> Segment:
        self._segment, self._choices = Segment(), {}
        self._segment.code = resume()
        return self._segment

    def _exit(self, point: int, at: ast.stmt) -> Exit:
        return ast.copy_location(Exit(point), at)

    # --- where a step goes on -------------------------------------------------------------------------------------

    def _register(self, block: Block, exits: Exits) -> None:
        """Finds what follows each yield of the block."""
        for position, flow in enumerate(block):
            rest = block[position + 1 :]
            after: Continuation = lambda rest=rest: self._emit(rest, exits)  # type: ignore[misc]  # noqa: E731
            match flow:
                case Yield():
                    self._resume[self._numbers[flow]] = after
                case If(_, _, then, orelse):
                    self._register(then, replace(exits, end=after))
                    self._register(orelse, replace(exits, end=after))
                case Match(_, bodies):
                    for body in bodies:
                        self._register(body, replace(exits, end=after))
                case While():
                    self._register(flow.body, self._around(flow, rest, exits))
                    self._register(flow.orelse, replace(exits, end=after))
                case Scope(_, body):
                    self._register(body, Exits(after, _impossible, _impossible, after))
                case Plain() | For() | Goto():
                    pass

    def _around(self, loop: While, rest: Block, exits: Exits) -> Exits:
        """What follows in the body of a loop, entered from a yield in it."""
        again: Continuation = lambda: [*deepcopy(loop.step), *self._loop(loop, rest, exits)]  # noqa: E731
        after: Continuation = lambda: self._emit(rest, exits)  # noqa: E731
        return Exits(again, after, again, exits.leave)

    # --- code -----------------------------------------------------------------------------------------------------

    def _emit(self, block: Block, exits: Exits, falls: bool = False) -> Code:
        """The code of the block and of what follows; if `falls` is true, what follows its end stands behind it."""
        code: Code = []
        for position, flow in enumerate(block):
            self._spend()
            rest = block[position + 1 :]
            match flow:
                case Yield(at):
                    return [*code, self._exit(self._numbers[flow], at)]
                case Goto(_, jump):
                    return code + self._jump(jump, exits)
                case While() if flow.runs and not comes_back(flow):
                    return code + self._emit(flow.body, self._round(rest, exits))
                case While():
                    return code + self._loop(flow, rest, exits, falls)
            code += self._statement(flow, rest, exits)
            if not completes(code):
                return code
        return code if falls else code + exits.end()

    def _spend(self) -> None:
        """Jumps copy what they lead to: a process in which that gets out of hand is rejected."""
        self._work += 1
        if self._work > WORK:
            name = self._reader.tree.name
            self._reader.reject(
                self._reader.tree.body[0], f"the steps of {name} have too many paths", "yield between its loops"
            )

    def _jump(self, jump: Jump, exits: Exits) -> Code:
        match jump:
            case Jump.BREAK:
                return exits.break_()
            case Jump.CONTINUE:
                return exits.continue_()
            case Jump.LEAVE:
                return exits.leave()

    def _statement(self, flow: Flow, rest: Block, exits: Exits) -> Code:
        after: Continuation = lambda: self._emit(rest, exits)  # noqa: E731
        inner = replace(exits, end=after)
        match flow:
            case Plain(at):
                before, statement = self._chosen(at)
                return [*before, statement]
            case If(at, test, then, orelse):
                before, condition = self._chosen(test)
                body, other = self._emit(then, inner, falls=True), self._emit(orelse, inner, falls=True)
                return [*before, ast.copy_location(ast.If(condition, body or [_pass(at)], other), at)]
            case Match(at, bodies):
                before, subject = self._chosen(at.subject)
                cases = [
                    ast.match_case(c.pattern, c.guard, self._emit(body, inner, falls=True) or [_pass(at)])
                    for c, body in zip(at.cases, bodies, strict=True)
                ]
                return [*before, ast.copy_location(ast.Match(subject, cases), at)]
            case Scope(_, body):
                return self._emit(body, Exits(after, _impossible, _impossible, after), falls=True)
            case For(at, body):
                return [self._native_for(at, body, exits)]
            case _:
                raise AssertionError(flow)

    def _round(self, rest: Block, exits: Exits) -> Exits:
        """What follows in the body of a loop that cannot come back to its head within the step."""
        return Exits(_impossible, lambda: self._emit(rest, exits), _impossible, exits.leave)

    def _loop(self, loop: While, rest: Block, exits: Exits, falls: bool = False) -> Code:
        """The loop from its head, and what follows it."""
        if comes_back(loop):
            code = self._native_while(loop, exits)
            return code + self._emit(rest, exits, falls) if completes(code) else code
        round_ = self._round(rest, exits)
        if loop.test is None:
            return self._emit(loop.body, round_)
        before, condition = self._chosen(loop.test)
        body = self._emit(loop.body, round_)
        test = ast.copy_location(ast.If(condition, body, []), loop.at)
        return [*before, test, *self._emit((*loop.orelse, *rest), exits, falls)]

    def _native_while(self, loop: While, exits: Exits) -> Code:
        """A loop that may go round more than once in a step."""
        at, depth = loop.at, self._depth + 1
        self._depth = depth
        leave = self._native(ast.Break(), at, depth)
        again: Continuation = lambda: [*deepcopy(loop.step), *self._native(ast.Continue(), at, depth)()]  # noqa: E731
        inner = Exits(again, leave, again, exits.leave)
        before, condition = self._chosen(loop.test or placed(ast.Constant(True), at))
        body = self._emit(loop.body, inner, falls=True)
        if completes(body):
            body += deepcopy(loop.step)
        if loop.orelse:
            other = self._emit(loop.orelse, replace(exits, end=leave))
            stop = placed(ast.If(placed(ast.UnaryOp(ast.Not(), condition), at), other, []), at)
            condition, body = placed(ast.Constant(True), at), [stop, *body]
        self._depth = depth - 1
        return [*before, ast.copy_location(ast.While(condition, body, []), at)]

    def _native_for(self, at: ast.For, block: Block, exits: Exits) -> ast.stmt:
        depth = self._depth + 1
        self._depth = depth
        again = self._native(ast.Continue(), at, depth)
        inner = Exits(again, self._native(ast.Break(), at, depth), again, exits.leave)
        body = self._emit(block, inner, falls=True)
        self._depth = depth - 1
        return ast.copy_location(ast.For(at.target, at.iter, body or [_pass(at)], []), at)

    def _native(self, jump: ast.stmt, at: ast.stmt, depth: int) -> Continuation:
        """A jump of Python itself, which belongs to the innermost loop."""

        def code() -> Code:
            if self._depth != depth:
                self._reader.reject(at, "what leaves this loop is in a loop of the same step", "yield in one of them")
            return [placed(deepcopy(jump), at)]

        return code

    # --- choices --------------------------------------------------------------------------------------------------

    def _chosen(self, node: N) -> tuple[Code, N]:
        """A copy of the node with the step's own index for each choice, and what says that the choices are made."""
        calls = list(choices_in(node, self._reader.function))
        if not calls:
            return [], copied(node)
        if self._depth:
            self._reader.reject(calls[0], "choose is in a loop that a step runs as a whole", "yield in the loop")
        before: Code = []
        names: dict[int, str] = {}
        for call in calls:
            if not call.args:
                remedy = "write choose(a, b), or choose(range(3))"
                self._reader.reject(call, "choose takes what to choose from", remedy)
            if id(call) not in self._choices:
                self._choices[id(call)] = len(self._segment.choices)
                self._segment.choices.append(call)
            choice = self._choices[id(call)]
            names[id(call)] = choice_name(choice)
            before.append(placed(ChoiceMade(choice, call), call))
        return before, _copy_with(node, names)


def choice_name(choice: int) -> str:
    """The variable that holds the alternative chosen."""
    return f"choice.{choice}"


def _copy_with(node: N, names: Mapping[int, str]) -> N:
    """A copy with names in the place of some of its parts."""
    memo: dict[int, object] = {}
    for part in ast.walk(node):
        if id(part) in names and isinstance(part, ast.expr):
            memo[id(part)] = placed(ast.Name(names[id(part)], ast.Load()), part)
    return copied(node, memo)


def completes(code: Code) -> bool:
    """Whether the end of the code may be reached."""
    return all(_completes(statement) for statement in code)


def _completes(statement: ast.stmt) -> bool:
    match statement:
        case Exit() | ast.Break() | ast.Continue() | ast.Raise():
            return False
        case ast.If(body=body, orelse=orelse):
            return completes(body) or completes(orelse)
        case ast.Match(cases=cases):
            return not takes_all(statement) or any(completes(case.body) for case in cases)
        case ast.While(test=ast.Constant(value=True), body=body):
            return any(_breaks(part) for part in body)
        case _:
            return True


def _breaks(statement: ast.stmt) -> bool:
    match statement:
        case ast.Break():
            return True
        case ast.If(body=body, orelse=orelse):
            return any(map(_breaks, [*body, *orelse]))
        case ast.Match(cases=cases):
            return any(_breaks(part) for case in cases for part in case.body)
        case _:
            return False


def _pass(at: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Pass(), at)


def _impossible() -> NoReturn:
    raise AssertionError("a jump that the syntax of Python excludes")
