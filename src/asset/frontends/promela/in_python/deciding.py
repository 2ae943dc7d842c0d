"""Whether conditions tell which option is taken, so that a choice is a branch of Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from asset.frontends.promela import syntax as s
from asset.frontends.promela.exclusion import contradict, cover, same
from asset.frontends.promela.naming import parts_of


def told_apart(firsts: Sequence[s.Stmt]) -> bool:
    """Whether at most one of the options with these statements can be taken, the last of which may be `else`. A branch
    of Python does not look at later conditions if one holds: then they must not fail either."""
    conditions = [first.value for first in firsts if isinstance(first, s.Condition) and not _runs(first)]
    if len(conditions) + isinstance(firsts[-1], s.Else) < len(firsts):
        return False
    return all(contradict(a, b) and _fails_no_more(a, b) for a, b in combinations(conditions, 2))


def one_holds(firsts: Sequence[s.Stmt]) -> bool:
    """Whether one of the two conditions always holds."""
    if len(firsts) != 2 or not all(isinstance(first, s.Condition) for first in firsts):
        return False
    first, second = (first.value for first in firsts if isinstance(first, s.Condition))
    return cover(first, second)


def _runs(condition: s.Condition) -> bool:
    return isinstance(condition.value, s.Run)


def _fails_no_more(first: s.Expr, later: s.Expr) -> bool:
    """Whether all that can fail in the later condition was looked at by the first one, if that holds."""
    seen = list(parts_of(first))
    if any(isinstance(e, s.Conditional) or (isinstance(e, s.Binary) and e.op == "||") for e in seen):
        seen = []
    return all(any(same(e, other) for other in seen) for e in failing(later))


def failing(e: s.Expr) -> Iterator[s.Node]:
    """What may divide by 0, or have an index out of bounds."""
    for part in parts_of(e):
        match part:
            case s.Binary(op="/" | "%", right=right) if not isinstance(right, s.Number) or not right.value:
                yield part
            case s.Reference(index=index, parts=parts):
                indices = (index, *(each.index for each in parts))
                if any(each is not None and not isinstance(each, s.Number) for each in indices):
                    yield part
            case s.ChannelQuery() | s.Poll() | s.RemoteVariable():
                yield part
