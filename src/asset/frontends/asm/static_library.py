"""The functions of the standard library on values that are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asset.frontends.asm.kinds import UNDEFINED, Listed, Static, Undefined


class _Library(dict[str, Callable[..., Any]]):
    """Functions by name; what a function gives None for, it is not defined for."""

    def arity(self, name: str, count: int) -> bool:
        """Whether it can be given so many arguments."""
        return count in _ARITIES.get(name, (1,))


def _at(items: Any, position: Any) -> Static | None:
    if not isinstance(items, Listed) or not isinstance(position, int):
        return None
    return items.items[position] if 0 <= position < len(items.items) else UNDEFINED


def _union(sets: Any, other: Any = None) -> Static | None:
    if other is not None:
        return sets | other if isinstance(sets, frozenset) and isinstance(other, frozenset) else None
    if not isinstance(sets, frozenset) or not all(isinstance(each, frozenset) for each in sets):
        return None
    return frozenset[Static]().union(*(each for each in sets if isinstance(each, frozenset)))


def _size(value: Any) -> int | None:
    match value:
        case frozenset():
            return len(value)
        case Listed(items):
            return len(items)
    return None


def _extremum(least: bool) -> Callable[..., int | None]:
    choose = min if least else max

    def found(*values: Any) -> int | None:
        numbers = tuple(values[0]) if len(values) == 1 and isinstance(values[0], frozenset) else values
        if not numbers or not all(type(each) is int for each in numbers):
            return None
        return int(choose(numbers))

    return found


def _contains(collection: Any, element: Static) -> Static | None:
    match collection:
        case frozenset():
            return element in collection
        case Listed(items):
            return element in items
    return None


def _joined(left: Any, right: Any) -> Static | None:
    return Listed((*left.items, *right.items)) if isinstance(left, Listed) and isinstance(right, Listed) else None


def _of_list(function: Callable[[tuple[Static, ...]], Static]) -> Callable[[Any], Static | None]:
    return lambda value: function(value.items) if isinstance(value, Listed) else None


LIBRARY = _Library(
    {
        "abs": lambda x: abs(x) if type(x) is int else None,
        "div": lambda a, b: a // b if type(a) is int and type(b) is int and b else None,
        "mod": lambda a, b: a % b if type(a) is int and type(b) is int and b else None,
        "min": _extremum(True),
        "max": _extremum(False),
        "isDef": lambda x: not isinstance(x, Undefined),
        "isUndef": lambda x: isinstance(x, Undefined),
        "not": lambda x: x is not True,
        "size": _size,
        "card": _size,
        "length": _size,
        "isEmpty": lambda x: None if _size(x) is None else _size(x) == 0,
        "contains": _contains,
        "includes": _contains,
        "excludes": lambda s, e: None if _contains(s, e) is None else not _contains(s, e),
        "member": lambda e, s: _contains(s, e),
        "union": _union,
        "Union": _union,
        "intersection": lambda a, b: a & b if isinstance(a, frozenset) and isinstance(b, frozenset) else None,
        "difference": lambda a, b: a - b if isinstance(a, frozenset) and isinstance(b, frozenset) else None,
        "including": lambda s, e: s | {e} if isinstance(s, frozenset) else None,
        "excluding": lambda s, e: s - {e} if isinstance(s, frozenset) else None,
        "at": _at,
        "first": _of_list(lambda items: items[0] if items else UNDEFINED),
        "last": _of_list(lambda items: items[-1] if items else UNDEFINED),
        "tail": _of_list(lambda items: Listed(items[1:])),
        "append": lambda s, e: Listed((*s.items, e)) if isinstance(s, Listed) else None,
        "prepend": lambda e, s: Listed((e, *s.items)) if isinstance(s, Listed) else None,
        "concat": _joined,
        "asSet": _of_list(lambda items: frozenset(items)),
    }
)
_ARITIES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(
        ["div", "mod", "contains", "includes", "excludes", "member", "intersection", "difference", "including"], (2,)
    ),
    **dict.fromkeys(["excluding", "at", "append", "prepend", "concat"], (2,)),
    **dict.fromkeys(["min", "max"], (1, 2)),
    **dict.fromkeys(["union", "Union"], (1, 2)),
}
