"""The kinds of values, values that are known while a machine is read, and how values are numbers.

Every scalar value is an integer in the IR, its *code*. A number is counted in parts of one, and if these are whole, an
integer is its own code. A truth value is 0 or 1, an element of a domain is its place among the elements. `undef` is
`UNDEF_NUMBER` among numbers and -1 among all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, lcm, log2, prod
from typing import TypeAlias

from asset.ir.types import decimal

MOST_NUMBER = 2**27 - 1
"""Numbers of a machine are not larger, and not less than its negative."""

UNDEF_NUMBER = -(2**28)
"""Outside that range, and so small that SMV, whose numbers have 32 bits, can still add a few of them."""

UNDEF_CODE = -1


@dataclass(frozen=True, slots=True)
class Truths:
    name = "Boolean"


@dataclass(eq=False, slots=True)
class Numbers:
    """Numbers that are counted in so many parts of one: of fractions, `per` is a common denominator."""

    per: int = 1

    @property
    def name(self) -> str:
        return "Integer" if self.per == 1 else "Real"


@dataclass(eq=False, slots=True)
class Elements:
    """A domain of its own: what an enumeration lists, or the elements of an abstract domain.

    `known` has a place for each element: its constructor and the arguments of that. It grows while declarations are
    read, and not afterwards.
    """

    name: str
    known: dict[tuple[str, tuple[Static, ...]], int] = field(default_factory=dict)
    listed: set[int] = field(default_factory=set)
    """The elements that some set of the machine has; others are only mentioned."""
    alike: bool = False
    """Whether nothing but the machine tells them apart, as those of an abstract domain."""

    def element(self, constructor: str, args: tuple[Static, ...] = ()) -> Element:
        return Element(self, self.known.setdefault((constructor, args), len(self.known)))

    def arguments(self, code: int) -> tuple[Static, ...]:
        """What its constructor was given."""
        return list(self.known)[code][1]

    def label(self, code: int) -> str:
        constructor, args = list(self.known)[code]
        return f"{constructor}({', '.join(map(shown, args))})" if args else constructor


@dataclass(eq=False, slots=True)
class Packed:
    """Sets, sequences, bags and maps that are parts of other values: the code of each is its place among all."""

    name: str
    values: tuple[Static, ...]
    places: dict[Static, int]


Kind: TypeAlias = Truths | Numbers | Elements | Packed
TRUTHS = Truths()


@cache
def numbers(per: int) -> Numbers:
    """The kind, of which there is one for each denominator."""
    if per > MOST_NUMBER:
        raise OverflowError
    return Numbers(per)


NUMBERS = numbers(1)
"""Integers."""


@dataclass(frozen=True, slots=True)
class Element:
    kind: Elements
    code: int


class Undefined:
    """The value `undef`."""

    def __repr__(self) -> str:
        return "undef"


UNDEFINED = Undefined()


@dataclass(frozen=True, slots=True)
class Listed:
    """A sequence that is known."""

    items: tuple[Static, ...]


@dataclass(frozen=True, slots=True)
class Mapped:
    """A map that is known."""

    pairs: tuple[tuple[Static, Static], ...]

    @staticmethod
    def of(pairs: Iterable[tuple[Static, Static]]) -> Mapped:
        """The same for the same pairs in another order; of two for a key, the last one counts."""
        kept = [(key, value) for key, value in dict(pairs).items() if not isinstance(value, Undefined)]
        return Mapped(tuple(sorted(kept, key=lambda pair: order(pair[0]))))


@dataclass(frozen=True, slots=True)
class Bagged:
    """A bag that is known: its elements, each with how often it is there."""

    counts: frozenset[tuple[Static, int]]

    @staticmethod
    def of(items: Iterable[Static]) -> Bagged:
        return Bagged(frozenset(Counter(items).items()))

    @property
    def items(self) -> tuple[Static, ...]:
        """Each element as often as it is there."""
        return tuple(each for each, count in self.in_order() for _ in range(count))

    def in_order(self) -> list[tuple[Static, int]]:
        return sorted(self.counts, key=lambda pair: order(pair[0]))


Static: TypeAlias = (
    "bool | int | Fraction | Element | Undefined | tuple[Static, ...] | frozenset[Static] | Listed | Bagged | Mapped"
)
"""A value that is known while the machine is read. A fraction is no integer."""


def is_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def reduced(value: int | Fraction) -> int | Fraction:
    """The number in its only form: an integer, or a fraction that is none."""
    return value.numerator if value.denominator == 1 else value


def magnitude(value: int | Fraction) -> Fraction:
    return abs(Fraction(value))


def code_of(value: Static, kind: Kind | None = None) -> int:
    """The number of a scalar value, among those of its kind. Of numbers, it must be given, unless it is an integer."""
    match value:
        case bool():
            return int(value)
        case int() | Fraction():
            parts = value * (kind.per if isinstance(kind, Numbers) else 1)
            if parts.denominator == 1:
                return parts.numerator
        case Element(code=code):
            return code
    raise TypeError(f"{value!r} is no scalar of that kind")


def kind_over(values: Iterable[Static]) -> Kind | None:
    """The kind that all these scalars are of; None if there is none. Numbers are counted in common parts."""
    found: Kind | None = None
    for value in values:
        match value:
            case bool():
                kind: Kind = TRUTHS
            case int() | Fraction():
                per = found.per if isinstance(found, Numbers) else 1
                kind = numbers(lcm(per, value.denominator))
            case Element(kind=kind):
                pass
            case _:
                return None
        if found is not None and kind is not found and not (isinstance(kind, Numbers) and isinstance(found, Numbers)):
            return None
        found = kind
    return found


def value_of(kind: Kind, code: int) -> Static:
    """The value with that number."""
    if code == undef_of(kind):
        return UNDEFINED
    match kind:
        case Truths():
            return bool(code)
        case Numbers(per):
            return reduced(Fraction(code, per))
        case Elements():
            return Element(kind, code)
        case Packed(values=values):
            return values[code]


def undef_of(kind: Kind) -> int:
    return UNDEF_NUMBER if isinstance(kind, Numbers) else UNDEF_CODE


def shown(value: Static) -> str:
    """As a reader of the machine writes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case Fraction():
            return decimal(value.numerator, value.denominator)
        case Element(kind, code):
            return kind.label(code)
        case tuple():
            return f"({', '.join(map(shown, value))})"
        case frozenset():
            return f"{{{', '.join(sorted(map(shown, value)))}}}"
        case Listed(items):
            return f"[{', '.join(map(shown, items))}]"
        case Bagged():
            return f"<{', '.join(map(shown, value.items))}>"
        case Mapped(pairs):
            return f"{{{', '.join(f'{shown(k)} -> {shown(v)}' for k, v in pairs)}}}"
    return str(value)


# --- sorts: what a function takes and gives --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScalarSort:
    """Values of one kind: those with the codes, in increasing order, or all of them if `codes` is None."""

    kind: Kind
    codes: tuple[int, ...] | None = None

    @property
    def bounds(self) -> tuple[int, int]:
        assert self.codes
        return self.codes[0], self.codes[-1]


@dataclass(frozen=True, slots=True)
class TupleSort:
    parts: tuple[Sort, ...]


@dataclass(frozen=True, slots=True)
class SetSort:
    """Sets of values of a finite sort."""

    of: Sort


@dataclass(frozen=True, slots=True)
class SequenceSort:
    """Sequences of at most `capacity` values."""

    of: Sort
    capacity: int | None = None


@dataclass(frozen=True, slots=True)
class BagSort:
    """Bags in which each value of a finite sort is at most `most` times."""

    of: Sort
    most: int | None = None


@dataclass(frozen=True, slots=True)
class MapSort:
    """Maps from keys of a finite sort; what has no value is `undef`."""

    keys: Sort
    of: Sort


@dataclass(frozen=True, slots=True)
class AnySort:
    """Values of whatever kind: what static and derived functions may take and give."""


Sort: TypeAlias = ScalarSort | TupleSort | SetSort | SequenceSort | BagSort | MapSort | AnySort

MOST_VALUES = 100_000
MOST_PACKED = 4_096
"""Of sets, sequences, bags or maps that are all listed."""


def values_of(sort: Sort) -> tuple[Static, ...] | None:
    """All values of a sort, in increasing order; None if they are not finite, or too many."""
    match sort:
        case ScalarSort(kind, codes):
            return None if codes is None else tuple(value_of(kind, code) for code in codes)
        case TupleSort(parts):
            lists = [values_of(part) for part in parts]
            if any(each is None for each in lists):
                return None
            found = tuple(product(*(each for each in lists if each is not None)))
            return found if len(found) <= MOST_VALUES else None
        case AnySort():
            return None
    return _collections(sort)


@cache
def _collections(sort: SetSort | SequenceSort | BagSort | MapSort) -> tuple[Static, ...] | None:
    """All sets, sequences, bags or maps of the sort, if they are not many."""
    members = values_of(sort.of)
    if members is None or how_many(sort) > MOST_PACKED:
        return None
    match sort:
        case SetSort():
            return tuple(
                frozenset(m for k, m in enumerate(members) if chosen >> k & 1) for chosen in range(2 ** len(members))
            )
        case SequenceSort(capacity=capacity):
            rows = (product(members, repeat=length) for length in range((capacity or 0) + 1))
            return tuple(Listed(items) for each in rows for items in each)
        case BagSort(most=most):
            counts = product(range((most or 0) + 1), repeat=len(members))
            return tuple(Bagged(frozenset((m, k) for m, k in zip(members, each, strict=True) if k)) for each in counts)
        case MapSort(keys):
            known = values_of(keys) or ()
            entries = product((UNDEFINED, *members), repeat=len(known))
            return tuple(Mapped.of(zip(known, each, strict=True)) for each in entries)


def how_many(sort: Sort) -> float:
    """How many values the sort has; infinity if they are not finite."""
    match sort:
        case ScalarSort(codes=codes):
            return inf if codes is None else len(codes)
        case TupleSort(parts):
            return prod(map(how_many, parts))
        case SetSort(of):
            return _power(2, how_many(of))
        case SequenceSort(of, capacity):
            lengths = range(int(capacity) + 1) if capacity is not None else ()
            return sum(_power(how_many(of), length) for length in lengths) or inf
        case BagSort(of, most):
            return inf if most is None else _power(most + 1, how_many(of))
        case MapSort(keys, of):
            return _power(how_many(of) + 1, how_many(keys))
    return inf


def _power(base: float, exponent: float) -> float:
    return base**exponent if exponent == 0 or exponent * log2(max(base, 1)) < 64 else inf


@cache
def packed(sort: SetSort | SequenceSort | BagSort | MapSort) -> ScalarSort | None:
    """The sort as one of scalars; None if there are infinitely many, or too many."""
    values = values_of(sort)
    if values is None:
        return None
    name = {SetSort: "Powerset", SequenceSort: "Seq", BagSort: "Bag", MapSort: "Map"}[type(sort)]
    return ScalarSort(Packed(name, values, {each: k for k, each in enumerate(values)}), tuple(range(len(values))))


def scalars_of(sort: Sort) -> tuple[ScalarSort, ...] | None:
    """The scalar parts, in order; None if there is a set or a sequence among them that cannot be packed."""
    match sort:
        case ScalarSort():
            return (sort,)
        case TupleSort(parts):
            found: list[ScalarSort] = []
            for part in parts:
                below = scalars_of(part)
                if below is None:
                    return None
                found += below
            return tuple(found)
        case AnySort():
            return None
    whole = packed(sort)
    return None if whole is None else (whole,)


def codes_of(sort: Sort, value: Static) -> tuple[int, ...]:
    """The numbers of the scalar parts of a value of the sort."""
    match sort, value:
        case TupleSort(parts), tuple():
            return tuple(code for part, each in zip(parts, value, strict=True) for code in codes_of(part, each))
        case ((SetSort() | SequenceSort() | BagSort() | MapSort()), _):
            whole = packed(sort)
            assert whole is not None and isinstance(whole.kind, Packed)
            return (whole.kind.places[value],)
    return (code_of(value, sort.kind if isinstance(sort, ScalarSort) else None),)


def flattened(value: Static) -> tuple[Static, ...]:
    """The scalar parts of a value."""
    if isinstance(value, tuple):
        return tuple(part for each in value for part in flattened(each))
    return (value,)


def order(value: Static) -> tuple[object, ...]:
    """What sorts values: numbers by size, elements by their place, the rest by its parts."""
    match value:
        case Undefined():
            return (-1,)
        case bool() | int() | Fraction():
            return (0, reduced(value))
        case Element(code=code):
            return (0, code)
        case tuple():
            return (1, tuple(map(order, value)))
        case frozenset():
            return (2, tuple(sorted(map(order, value))))
        case Listed(items):
            return (3, tuple(map(order, items)))
        case Bagged():
            return (4, tuple((order(each), count) for each, count in value.in_order()))
        case Mapped(pairs):
            return (5, tuple((order(key), order(each)) for key, each in pairs))
    return (6, repr(value))


def list_elements(value: Static) -> None:
    """The elements in the value are listed."""
    match value:
        case Element(kind, code):
            kind.listed.add(code)
        case tuple() | frozenset():
            for part in value:
                list_elements(part)
