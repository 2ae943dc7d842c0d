"""The control flow of a process: what may end a step, or jump, is a node of its own; all else is plain."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

Block = tuple["Flow", ...]


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """A statement that runs as a part of one step, whatever it does."""

    at: ast.stmt


@dataclass(frozen=True, slots=True, eq=False)
class Yield:
    """Ends a step."""

    at: ast.stmt
    label: str | None


@dataclass(frozen=True, slots=True, eq=False)
class If:
    at: ast.stmt
    test: ast.expr
    then: Block
    orelse: Block


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    at: ast.Match
    bodies: tuple[Block, ...]


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """`while test: body; step`; `step` is run at the end of a round, also by `continue`. No test: for ever.

    If `runs` is true, the first test is known to be true.
    """

    at: ast.stmt
    test: ast.expr | None
    body: Block
    step: tuple[ast.stmt, ...] = ()
    orelse: Block = ()
    runs: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """A loop that is a part of one step, but has a jump out of it."""

    at: ast.For
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The body of a helper process: LEAVE goes to its end."""

    at: ast.stmt
    body: Block


class Jump(Enum):
    BREAK = auto()
    CONTINUE = auto()
    LEAVE = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Goto:
    at: ast.stmt
    jump: Jump


Flow = Plain | Yield | If | Match | While | For | Scope | Goto


class End(Enum):
    """How a block may be left within a step."""

    NORMAL = auto()
    BREAK = auto()
    CONTINUE = auto()
    LEAVE = auto()
    STEP = auto()  # at a yield


_ENDS = {Jump.BREAK: End.BREAK, Jump.CONTINUE: End.CONTINUE, Jump.LEAVE: End.LEAVE}


def ends(block: Block) -> frozenset[End]:
    """The ways in which the block may be left, from its beginning up to the first yield; as far as the text shows."""
    found: set[End] = set()
    for flow in block:
        here = _ends_of(flow)
        found |= here - {End.NORMAL}
        if End.NORMAL not in here:
            return frozenset(found)
    return frozenset(found | {End.NORMAL})


def _ends_of(flow: Flow) -> frozenset[End]:
    match flow:
        case Plain(at):
            return frozenset() if isinstance(at, ast.Raise) else frozenset({End.NORMAL})
        case Yield():
            return frozenset({End.STEP})
        case Goto(_, jump):
            return frozenset({_ENDS[jump]})
        case If(_, _, then, orelse):
            return ends(then) | ends(orelse)
        case Match(at, bodies):
            passed = frozenset[End]() if takes_all(at) else frozenset({End.NORMAL})
            return passed.union(*map(ends, bodies))
        case Scope(_, body):
            inside = ends(body)
            return (inside - {End.LEAVE}) | ({End.NORMAL} if End.LEAVE in inside else set())
        case While(_, test, body, _, orelse):
            inside = ends(body)
            passes = test is not None and (not flow.runs or comes_back(flow))
            after = ends(orelse) if passes else frozenset()
            return (inside & {End.STEP, End.LEAVE}) | after | ({End.NORMAL} if End.BREAK in inside else set())
        case For(_, body):
            return (ends(body) & {End.STEP, End.LEAVE}) | {End.NORMAL}


def takes_all(at: ast.Match) -> bool:
    """Whether one of the cases is always taken: the last one is `case _`, or binds a name."""
    last = at.cases[-1]
    return last.guard is None and isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None


def comes_back(loop: While) -> bool:
    """Whether a round of the loop may come back to its head without a yield."""
    return bool(ends(loop.body) & {End.NORMAL, End.CONTINUE})


def yields_of(block: Block) -> Iterator[Yield]:
    """The places where the block yields, in the order of the text."""
    for flow in block:
        match flow:
            case Yield():
                yield flow
            case If(_, _, then, orelse):
                yield from yields_of(then)
                yield from yields_of(orelse)
            case Match(_, bodies):
                for body in bodies:
                    yield from yields_of(body)
            case While(_, _, body, _, orelse):
                yield from yields_of(body)
                yield from yields_of(orelse)
            case For(_, body) | Scope(_, body):
                yield from yields_of(body)
            case Plain() | Goto():
                pass
