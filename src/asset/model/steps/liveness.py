"""Which local variables a process needs at a point: those that it may read before it assigns them again.

Only these are state there; at every other point a variable has one canonical value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from asset.model.steps.splitting import FINISHED, Code, Exit, Segment
from asset.model.syntax_trees import stored_names

Names = frozenset[str]
NOTHING: Names = frozenset()


def live_at_points(segments: Mapping[int, Segment], variables: Names) -> dict[int, Names]:
    """The variables that are live at each point; the least solution of the usual equations, going backwards."""
    live: dict[int, Names] = dict.fromkeys(segments, NOTHING) | {FINISHED: NOTHING}
    changed = True
    while changed:
        changed = False
        for point, segment in segments.items():
            new = _Backwards(live, variables).code(segment.code, _Ends())
            if new != live[point]:
                live[point], changed = new, True
    return live


@dataclass(frozen=True, slots=True)
class _Ends:
    """What is live where a block is left."""

    end: Names = NOTHING
    break_: Names = NOTHING
    continue_: Names = NOTHING


class _Backwards:
    def __init__(self, live: Mapping[int, Names], variables: Names) -> None:
        self._live = live
        self._variables = variables

    def code(self, code: Code, ends: _Ends) -> Names:
        """What is live before the code."""
        live = ends.end
        for statement in reversed(code):
            live = self._statement(statement, _Ends(live, ends.break_, ends.continue_))
        return live

    def _statement(self, node: ast.stmt, ends: _Ends) -> Names:
        match node:
            case Exit(point=point):
                return self._live[point]
            case ast.Break():
                return ends.break_
            case ast.Continue():
                return ends.continue_
            case ast.If(test=test, body=body, orelse=orelse):
                return self._read(test) | self.code(body, ends) | self.code(orelse, ends)
            case ast.Match(subject=subject, cases=cases):
                return self._read(subject) | ends.end | self._cases(cases, ends)
            case ast.While():
                return self._rounds(node, ends)
            case ast.For():
                return self._rounds(node, ends) | self._read(node.iter)
            case _:
                return (ends.end - self._overwritten(node)) | self._read(node)

    def _cases(self, cases: Iterable[ast.match_case], ends: _Ends) -> Names:
        live = NOTHING
        for case in cases:
            guard = NOTHING if case.guard is None else self._read(case.guard)
            live |= (self.code(case.body, ends) | guard) - self._stored([case.pattern])
        return live

    def _rounds(self, node: ast.While | ast.For, ends: _Ends) -> Names:
        """What is live at the head of a loop: the target is assigned if there is a round, and not if there is none."""
        test = self._read(node.test) if isinstance(node, ast.While) else NOTHING
        target = self._stored([node.target]) if isinstance(node, ast.For) else NOTHING
        head = NOTHING
        while True:
            new = test | ends.end | (self.code(node.body, _Ends(head, ends.end, head)) - target)
            if new == head:
                return head
            head = new

    def _overwritten(self, node: ast.stmt) -> Names:
        """What the statement assigns wherever it is passed."""
        return self._stored([node]) if isinstance(node, ast.Assign | ast.AnnAssign) else NOTHING

    def _stored(self, nodes: Iterable[ast.AST]) -> Names:
        return self._variables & stored_names(nodes).keys()

    def _read(self, node: ast.AST) -> Names:
        return self._variables & frozenset(read_names(node))


def read_names(node: ast.AST) -> Iterator[str]:
    """The names that the node may read; those of a comprehension are its own, but not in what it goes over first."""
    if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
        own = {name.id for clause in node.generators for name in ast.walk(clause.target) if isinstance(name, ast.Name)}
        yield from (name for part in ast.iter_child_nodes(node) for name in read_names(part) if name not in own)
        yield from read_names(node.generators[0].iter)
        return
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    for part in ast.iter_child_nodes(node):
        yield from read_names(part)
