"""The functions of the standard library on values that are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from asset.frontends.asm.arithmetic import ROUND
from asset.frontends.asm.kinds import UNDEFINED, Bagged, Listed, Mapped, Static, Undefined, is_number, order, reduced

OF_NOTHING = ("contains", "includes")
"""What is `undef` contains nothing, as in the simulator of AsmetaL."""


class _Library(dict[str, Callable[..., Any]]):
    """Functions by name; what a function gives None for, it is not defined for."""

    def arity(self, name: str, count: int) -> bool:
        """Whether it can be given so many arguments."""
        return count in _ARITIES.get(name, (1,))


SAME = frozenset({"itor", "iton", "ntor", "ntoi"})
"""Conversions that change no number."""

NOT_READ = {
    **dict.fromkeys(["id", "getAgent"], "leave it out"),
    **dict.fromkeys(["sqrt", "re", "im", "norm", "iszero", "toReal", "toComplex"], "count in whole numbers"),
    **dict.fromkeys(["pre"], "keep the value before in a function of its own"),
    **dict.fromkeys(["currTimeNanosecs", "currTimeMillisecs", "currTimeSecs"], "declare a monitored function for it"),
}
"""Functions of the library that are known and have no meaning here, each with a remedy."""

OPERATORS = {
    **{"eq": "=", "neq": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "plus": "+", "minus": "-", "mult": "*"},
    **{"idiv": "quot", "mod": "rem", "div": "/", "pwr": "^", "and": "and", "or": "or", "xor": "xor"},
    **{"implies": "implies", "iff": "iff"},
}
"""Functions of two arguments that are operators as well."""


def _at(items: Any, position: Any) -> Static | None:
    if isinstance(items, tuple) and isinstance(position, int):
        return items[position] if 0 <= position < len(items) else UNDEFINED
    if isinstance(items, Mapped):
        return next((value for key, value in items.pairs if key == position), UNDEFINED)
    if not isinstance(items, Listed) or not isinstance(position, int):
        return None
    return items.items[position] if 0 <= position < len(items.items) else UNDEFINED


def _union(sets: Any, other: Any = None) -> Static | None:
    if isinstance(sets, Listed) and other is not None:
        return _joined(sets, other)
    if isinstance(sets, Bagged) or isinstance(other, Bagged):
        return _of_bags(sets, other, lambda a, b: a + b)
    if other is not None:
        return sets | other if isinstance(sets, frozenset) and isinstance(other, frozenset) else None
    if not isinstance(sets, frozenset) or not all(isinstance(each, frozenset) for each in sets):
        return None
    return frozenset[Static]().union(*(each for each in sets if isinstance(each, frozenset)))


def _size(value: Any) -> int | None:
    match value:
        case frozenset():
            return len(value)
        case Listed() | Bagged():
            return len(value.items)
    return None


def _of_bags(
    left: Any, right: Any, join: Callable[[Counter[Static], Counter[Static]], Counter[Static]]
) -> Static | None:
    given = [each.items if isinstance(each, Bagged) else each for each in (left, right)]
    if not all(isinstance(each, tuple | frozenset) for each in given):
        return None
    return Bagged.of(join(Counter(given[0]), Counter(given[1])).elements())


def _intersection(left: Any, right: Any) -> Static | None:
    if isinstance(left, Bagged) or isinstance(right, Bagged):
        return _of_bags(left, right, lambda a, b: a & b)
    return _of_sets(left, right, lambda: left & right)


def _including(of: Any, element: Static) -> Static | None:
    match of:
        case frozenset():
            return of | {element}
        case Bagged():
            return Bagged.of((*of.items, element))
    return None


def _excluding(of: Any, element: Static) -> Static | None:
    """Of a sequence and a bag, one of them is taken away."""
    match of:
        case frozenset():
            return of - {element}
        case Bagged():
            return Bagged.of((Counter(of.items) - Counter([element])).elements())
        case Listed(items):
            at = _index(of, element)
            return of if at < 0 else Listed((*items[:at], *items[at + 1 :]))
    return None


def _as_sequence(of: Any) -> Static | None:
    match of:
        case frozenset():
            return Listed(tuple(sorted(of, key=order)))
        case Bagged():
            return Listed(of.items)
    return None


def _sum(of: Any) -> Static | None:
    items = of.items if isinstance(of, Bagged) else of
    numbers = isinstance(items, tuple | frozenset) and all(map(is_number, items))
    return reduced(sum(items, start=Fraction(0))) if numbers else None


def _extremum(least: bool) -> Callable[..., int | Fraction | None]:
    choose = min if least else max

    def found(*values: Any) -> int | Fraction | None:
        numbers = tuple(values[0]) if len(values) == 1 and isinstance(values[0], frozenset) else values
        if not numbers or not all(map(is_number, numbers)):
            return None
        return choose(numbers)  # type: ignore[no-any-return]

    return found


def _rounding(round_: Callable[[Fraction], int]) -> Callable[[Any], int | None]:
    return lambda value: round_(Fraction(value)) if is_number(value) else None


def _contains(collection: Any, element: Static) -> Static | None:
    match collection:
        case frozenset():
            return element in collection
        case Listed() | Bagged():
            return element in collection.items
    return None


def _joined(left: Any, right: Any) -> Static | None:
    return Listed((*left.items, *right.items)) if isinstance(left, Listed) and isinstance(right, Listed) else None


def _of_sets(left: Any, right: Any, result: Callable[[], Static]) -> Static | None:
    return result() if isinstance(left, frozenset) and isinstance(right, frozenset) else None


def _part(place: int) -> Callable[[Any], Static | None]:
    """The part of a tuple; of a sequence, only the first can be asked for."""

    def part(value: Any) -> Static | None:
        if isinstance(value, tuple):
            return value[place] if place < len(value) else None
        if isinstance(value, Listed) and place == 0:
            return value.items[0] if value.items else UNDEFINED
        return None

    return part


def _index(of: Any, element: Static) -> int:
    items = of.items if isinstance(of, Listed) else of
    return items.index(element) if element in items else -1


def _of_places(
    of: Any, places: tuple[Any, ...], change: Callable[[tuple[Static, ...]], tuple[Static, ...]], inside: int = 0
) -> Static | None:
    """The sequence as the change makes it; `undef` if the places are not in order, or so near to its end."""
    if not isinstance(of, Listed):
        return None
    numbers = [place for place in places if type(place) is int]
    if len(numbers) < len(places):
        return UNDEFINED
    fits = numbers == sorted(numbers) and numbers[0] >= 0 and numbers[-1] + inside <= len(of.items)
    return Listed(change(of.items)) if fits else UNDEFINED


def _merged(left: Any, right: Any) -> Static | None:
    if not isinstance(left, Mapped) or not isinstance(right, Mapped):
        return None
    return Mapped.of((*left.pairs, *right.pairs))


def _of_list(function: Callable[[tuple[Static, ...]], Static]) -> Callable[[Any], Static | None]:
    return lambda value: function(value.items) if isinstance(value, Listed) else None


LIBRARY = _Library(
    {
        "abs": lambda x: abs(x) if is_number(x) else None,
        **{name: _rounding(round_) for name, round_ in ROUND.items()},
        "min": _extremum(True),
        "max": _extremum(False),
        "isDef": lambda x: not isinstance(x, Undefined),
        "isUndef": lambda x: isinstance(x, Undefined),
        "not": lambda x: not x if isinstance(x, bool) else UNDEFINED,
        "size": _size,
        "card": _size,
        "length": _size,
        "isEmpty": lambda x: None if _size(x) is None else _size(x) == 0,
        "contains": _contains,
        "includes": _contains,
        "excludes": lambda s, e: None if _contains(s, e) is None else not _contains(s, e),
        "notin": lambda s, e: None if _contains(s, e) is None else not _contains(s, e),
        "allin": lambda a, b: _of_sets(a, b, lambda: b <= a),
        "notallin": lambda a, b: _of_sets(a, b, lambda: not b <= a),
        "equality": lambda a, b: _of_sets(a, b, lambda: a == b),
        "notEmpty": lambda x: None if _size(x) is None else _size(x) != 0,
        "sum": _sum,
        "member": lambda e, s: _contains(s, e),
        "union": _union,
        "Union": _union,
        "intersection": _intersection,
        "difference": lambda a, b: _of_sets(a, b, lambda: a - b),
        "symmetricDifference": lambda a, b: _of_sets(a, b, lambda: a ^ b),
        "including": _including,
        "excluding": _excluding,
        "at": _at,
        "first": _part(0),
        "second": _part(1),
        "third": _part(2),
        "fourth": _part(3),
        "fifth": _part(4),
        "sixth": _part(5),
        "seventh": _part(6),
        "eighth": _part(7),
        "ninth": _part(8),
        "last": _of_list(lambda items: items[-1] if items else UNDEFINED),
        "tail": _of_list(lambda items: Listed(items[1:]) if items else UNDEFINED),
        "append": lambda s, e: Listed((*s.items, e)) if isinstance(s, Listed) else None,
        "prepend": lambda e, s: Listed((e, *s.items)) if isinstance(s, Listed) else None,
        "concat": _joined,
        "count": lambda s, e: s.items.count(e) if isinstance(s, Listed | Bagged) else None,
        "indexOf": lambda s, e: _index(s, e) if isinstance(s, Listed | tuple) else None,
        "insertAt": lambda s, k, e: _of_places(s, (k,), lambda items: (*items[:k], e, *items[k:])),
        "replaceAt": lambda s, k, e: _of_places(s, (k,), lambda items: (*items[:k], e, *items[k + 1 :]), inside=1),
        "subSequence": lambda s, a, b: _of_places(s, (a, b), lambda items: items[a:b]),
        "asSet": lambda s: frozenset(s.items) if isinstance(s, Listed | Bagged) else None,
        "asBag": lambda s: Bagged.of(s.items if isinstance(s, Listed) else s) if not isinstance(s, Bagged) else s,
        "asSequence": _as_sequence,
        "assign": lambda m, k, v: _merged(m, Mapped(((k, v),))),
        "merge": lambda a, b: _merged(a, b),
        "range": lambda a, b: frozenset(range(a, b)) if type(a) is int and type(b) is int else None,
        **{name: lambda x: x for name in SAME},
    }
)


def in_library(name: str, args: int) -> bool:
    """Whether the library has a function of the name that takes so many arguments."""
    return name in LIBRARY and LIBRARY.arity(name, args)


_ARITIES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(["contains", "includes", "excludes", "notin", "allin", "notallin", "equality", "member"], (2,)),
    **dict.fromkeys(["intersection", "difference", "symmetricDifference", "including", "excluding", "at"], (2,)),
    **dict.fromkeys(["append", "prepend", "concat", "count", "indexOf", "merge", "range"], (2,)),
    **dict.fromkeys(["insertAt", "replaceAt", "subSequence", "assign"], (3,)),
    **dict.fromkeys(["min", "max", "union", "Union"], (1, 2)),
}
