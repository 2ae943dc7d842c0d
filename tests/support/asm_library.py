"""Collections of abstract state machines as plain Python values, and the functions of the standard library on them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any


class Map(dict):  # type: ignore[type-arg]
    """A map, which can be part of a state."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class Bag(tuple):  # type: ignore[type-arg]
    """A bag: its elements in order."""

    def __new__(cls, items: Iterable[Any]) -> Bag:
        return super().__new__(cls, sorted(items, key=repr))


def _without(collection: Any, element: Any) -> Any:
    if isinstance(collection, frozenset):
        return collection - {element}
    kept = list(collection)
    if element in kept:
        kept.remove(element)
    return type(collection)(kept)


class Sequence(tuple):  # type: ignore[type-arg]
    """A sequence, which is no tuple."""


def subsets(members: Iterable[Any]) -> set[Any]:
    found = {frozenset[Any]()}
    for member in members:
        found |= {each | {member} for each in found}
    return found


def _union(a: Any, b: Any = None) -> Any:
    return frozenset().union(*a) if b is None else a | b


LIBRARY: dict[str, Any] = {
    "MAP_TO_FUN": lambda x: x,
    "SET_TO_REL": lambda x: x,
    "isDef": lambda x: x is not None,
    "isUndef": lambda x: x is None,
    "abs": abs,
    "idiv": lambda a, b: int(Fraction(a, b)),
    "plus": lambda a, b: a + b,
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
    "iton": lambda x: x,
    "itor": lambda x: x,
    "rtoi": int,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": lambda x: math.floor(x + Fraction(1, 2)),
    "sum": sum,
    "notin": lambda s, e: e not in s,
    "allin": lambda s, o: o <= s,
    "notEmpty": lambda x: len(x) > 0,
    "symmetricDifference": lambda a, b: a ^ b,
    "second": lambda x: x[1],
    "third": lambda x: x[2],
    "indexOf": lambda s, e: s.index(e) if e in s else -1,
    "count": lambda s, e: s.count(e),
    "asSet": frozenset,
    "asSequence": lambda s: Sequence(sorted(s)),
    "insertAt": lambda s, k, e: Sequence((*s[:k], e, *s[k:])),
    "replaceAt": lambda s, k, e: Sequence((*s[:k], e, *s[k + 1 :])),
    "subSequence": lambda s, a, b: Sequence(s[a:b]),
    "merge": lambda a, b: Map({**a, **b}),
    "assign": lambda m, k, v: Map({**m, k: v}),
    "min": lambda a, b: None if b is None else min(a, b),
    "max": lambda a, b: None if b is None else max(a, b),
    "mod": lambda a, b: a - b * int(Fraction(a, b)),
    "size": len,
    "length": len,
    "isEmpty": lambda x: not x,
    "contains": lambda s, e: e in s,
    "union": lambda a, b=None: type(a)((*a, *b)) if isinstance(a, Sequence | Bag) else _union(a, b),
    "concat": lambda a, b: ("String", a[1] + b[1]),
    "asBag": Bag,
    "Union": _union,
    "including": lambda s, e: Bag((*s, e)) if isinstance(s, Bag) else s | {e},
    "excluding": _without,
    "intersection": lambda a, b: Bag((Counter(a) & Counter(b)).elements()) if isinstance(a, Bag) else a & b,
    "difference": lambda a, b: a - b,
    "append": lambda s, e: Sequence((*s, e)),
    "prepend": lambda e, s: Sequence((e, *s)),
    "tail": lambda s: Sequence(s[1:]),
    "first": lambda s: s[0] if s else None,
    "last": lambda s: s[-1] if s else None,
    "at": lambda s, i: s.get(i) if isinstance(s, dict) else s[i] if 0 <= i < len(s) else None,
}
