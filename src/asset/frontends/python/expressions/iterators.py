"""What Python's itertools and filter are made of here: tables of rounds, and lists that mean the same."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence

from asset.frontends.python.inlining import MARK
from asset.model.syntax_trees import placed

MOST_ROUNDS = 4_096

Combining = Callable[..., Iterable[tuple[int, ...]]]

COMBINING: tuple[Combining, ...] = (
    *(itertools.product, itertools.combinations, itertools.permutations),
    *(itertools.combinations_with_replacement, itertools.pairwise),
)
"""Functions whose elements are tuples of items of what they are given."""

TAKING_SOME = (itertools.combinations, itertools.permutations, itertools.combinations_with_replacement)
"""Those that are told how many items to take."""


def combined_count(function: object, node: ast.Call) -> ast.expr | None:
    """How many items to take, or how often to repeat, as it is written."""
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if function in TAKING_SOME:
        return given.get("r", node.args[1] if len(node.args) > 1 else None)
    return given.get("repeat")


def combinations_of(
    function: Combining, lengths: Sequence[int], count: Sequence[int | None]
) -> list[tuple[int, ...]] | None:
    """The places of the items of each round; None if there are too many."""
    by_name = {"repeat": count[0]} if count and function is itertools.product else {}
    rounds = function(*map(range, lengths), *(() if by_name else count), **by_name)
    found = list(itertools.islice(rounds, MOST_ROUNDS + 1))
    return found if len(found) <= MOST_ROUNDS else None


def width(function: Combining, lengths: Sequence[int], count: Sequence[int | None]) -> int:
    """How many items an element has, also if there is none."""
    if function in TAKING_SOME:
        return (count[0] if count else lengths[0]) or 0
    return 2 if function is itertools.pairwise else len(lengths) * ((count[0] if count else 1) or 0)


def _chained(node: ast.Call) -> ast.expr | None:
    """`chain(a, b)` as `[*a, *b]`."""
    return placed(ast.List([ast.Starred(part, ast.Load()) for part in node.args], ast.Load()), node)


def _filtered(node: ast.Call) -> ast.expr | None:
    """`filter(test, xs)` as `[x for x in xs if test(x)]`."""
    if len(node.args) != 2:
        return None
    match node.args:
        case [ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=test), items]:
            pass
        case [function, items]:
            name = f"each{MARK}"
            none = isinstance(function, ast.Constant) and function.value is None
            test = ast.Name(name, ast.Load()) if none else ast.Call(function, [ast.Name(name, ast.Load())], [])
    clause = ast.comprehension(ast.Name(name, ast.Store()), items, [test], 0)
    return placed(ast.ListComp(ast.Name(name, ast.Load()), [clause]), node)


def listed(node: ast.Call) -> ast.expr:
    """A list of all elements."""
    each = f"each{MARK}"
    clause = ast.comprehension(ast.Name(each, ast.Store()), node, [], 0)
    return placed(ast.ListComp(ast.Name(each, ast.Load()), [clause]), node)


REWRITTEN: Mapping[object, Callable[[ast.Call], ast.expr | None]] = {itertools.chain: _chained, filter: _filtered}
"""By function, an expression that means the same; None if it is called in another way."""
