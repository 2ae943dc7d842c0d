"""What Python's iterators look at when the turn of an item comes: the body of a loop may have changed it by then."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.expressions.iterators import REWRITTEN
from asset.frontends.python.problems import Rejected
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    InState,
    RangeOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    TableRef,
    Truth,
    TupleOf,
    Value,
)
from asset.frontends.python.views import viewed
from asset.ir.shapes import leaves

LAZY = (enumerate, zip, reversed, map, filter, itertools.chain, itertools.pairwise)
"""Those that copy nothing."""

VALUES = (Static, Scalar, SlotRef, Truth, RangeOf, SetOf, TableRef)
"""What Python evaluates when it makes the iterator, and nothing changes."""

LISTED = (*REWRITTEN, itertools.pairwise)
"""Those that are made of a list here, before the loop begins."""


class LazyIterators:
    def __init__(self, body: Body, evaluation: Evaluation, callee: Callable[[ast.expr], object]) -> None:
        self._body = body
        self._evaluation = evaluation
        self._callee = callee

    def names(self, node: ast.expr) -> Iterator[tuple[str, bool]]:
        """The names of what is looked at during the iteration, each with whether its items may be assigned meanwhile:
        each item is looked at when its turn comes, here as in Python."""
        if isinstance(node, ast.Name):
            yield node.id, False
        listed = self._callee(node) in LISTED
        for part in self._parts(node):
            yield from ((name, not listed) for name, _ in self.names(part))

    def looked_at_early(self, node: ast.expr) -> set[int] | None:
        """The state variables of which a list is made before the loop begins, though Python looks at them later; None
        if they may be any. The outermost `filter` makes no list (`Iterables.of_loop`)."""
        while isinstance(node, ast.Call) and self._callee(node) is filter and len(node.args) == 2:
            node = node.args[1]
        return self._listed_of(node)

    def _listed_of(self, node: ast.expr) -> set[int] | None:
        read = self._read_by if self._callee(node) in LISTED else self._listed_of
        return _all(read(part) for part in self._parts(node))

    def _parts(self, node: ast.expr) -> list[ast.expr]:
        """What the iterator looks at, and the function that it calls."""
        view = viewed(node)
        if view is not None:
            return [view[0]]
        return node.args if isinstance(node, ast.Call) and self._callee(node) in LAZY else []

    def _read_by(self, node: ast.expr) -> set[int] | None:
        """The variables that the expression denotes parts of; a function may read any."""
        parts = self._parts(node)
        if parts:
            return _all(map(self._read_by, parts))
        try:
            with self._body.trial():
                return _places(self._evaluation.evaluate(node))
        except Rejected:
            return None


def _all(found: Iterable[set[int] | None]) -> set[int] | None:
    """All of them; None if one is not known."""
    whole = set[int]()
    for variables in found:
        if variables is None:
            return None
        whole |= variables
    return whole


def _places(value: Value) -> set[int] | None:
    match value:
        case ArrayRef(variable=variable):
            return {variable}
        case Compound():
            is_stored = isinstance(value.source, InState)
            return set(range(value.leaf, value.leaf + len(leaves(value.shape)))) if is_stored else set()
        case TupleOf(items):
            return _all(map(_places, items))
        case Static(value=known) if callable(known):
            return None
        case _:
            return set() if isinstance(value, VALUES) else None
