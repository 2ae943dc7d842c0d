"""The shapes of declared variables: how compound values are made of scalar cells.

A variable of any shape is stored as its *leaves*: arrays of scalars, one for each scalar part, whose dimensions are
those of all arrays, queues and maps around it. A part is found by its first leaf and the indices given so far, so every
shape nests in every other; whoever works with cells only (engines, analyses, code generation) need not know of shapes.

Each shape is canonical: equal values have equal cells. What a value does not use (the places behind the end of a queue,
the content of an empty optional, the value of a missing key) holds the blank of its type, its smallest value: bits that
are zero.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from itertools import accumulate, pairwise, product
from math import prod

from asset.deferred import dataclass
from asset.ir.faults import INT_MAX, INT_MIN
from asset.ir.types import BoolType, IntType, RefType, ScalarType

HostClass = type[object]
"""A class of the language of the model."""


@dataclass(frozen=True, slots=True)
class ScalarShape:
    """One cell. `host` is the class of its values in the language of the model, if that is not a number."""

    type: ScalarType
    host: HostClass | None = None


@dataclass(frozen=True, slots=True)
class ArrayShape:
    length: int
    item: Shape


@dataclass(frozen=True, slots=True)
class TupleShape:
    items: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class RecordShape:
    """Parts with names. `host` is the class of the record in the language of the model."""

    name: str
    names: tuple[str, ...]
    items: tuple[Shape, ...]
    host: HostClass | None = None


@dataclass(frozen=True, slots=True)
class UnionShape:
    """One of several records: which one, and its parts; those of the others are blank."""

    variants: tuple[RecordShape, ...]


@dataclass(frozen=True, slots=True)
class BoundedSetShape:
    """The number of elements, and the elements by increasing cells: for domains that are too large for a `SetShape`."""

    capacity: int
    item: Shape


@dataclass(frozen=True, slots=True)
class Keys:
    """A finite domain: the values of a scalar, or (not `single`) tuples of such values, or values of a `shape`.

    The parts of a key that has a shape are its cells; if that is a union, there is one part, the number of the key.
    """

    parts: tuple[ScalarShape, ...]
    single: bool = True
    shape: RecordShape | TupleShape | UnionShape | None = None

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(part.type.hi - part.type.lo + 1 for part in self.parts)

    def __contains__(self, key: tuple[int, ...]) -> bool:
        return all(value in part.type for value, part in zip(key, self.parts, strict=True))

    def positions(self, key: tuple[int, ...]) -> tuple[int, ...]:
        """The indices of the key's cell."""
        return tuple(value - part.type.lo for value, part in zip(key, self.parts, strict=True))

    def all(self) -> tuple[tuple[int, ...], ...]:
        """Every key, in the order in which they are iterated over: by increasing numbers, the last part fastest."""
        return _all_keys(self)

    def __str__(self) -> str:
        if isinstance(self.shape, UnionShape):
            return " | ".join(variant.name for variant in self.shape.variants)
        if isinstance(self.shape, RecordShape):
            return self.shape.name
        words = [str(part.type) for part in self.parts]
        return words[0] if self.single else f"({', '.join(words)})"

    # --- keys that have a shape -------------------------------------------------------------------------------------

    def numbers_of(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        """The numbers of the key that has these cells."""
        if not isinstance(self.shape, UnionShape):
            return cells
        chosen = numbered_variants(self.shape)[cells[0]]
        digits = zip(cells[chosen.first : chosen.first + len(chosen.scalars)], chosen.scalars, strict=True)
        number = 0
        for cell, part in digits:
            number = number * (part.type.hi - part.type.lo + 1) + cell - part.type.lo
        return (chosen.offset + number,)

    def cells_of(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """The cells of the key that has these numbers."""
        if not isinstance(self.shape, UnionShape):
            return numbers
        variants = numbered_variants(self.shape)
        tag = max(k for k, variant in enumerate(variants) if variant.offset <= numbers[0])
        cells = [leaf.blank for leaf in leaves(self.shape)]
        cells[0], rest = tag, numbers[0] - variants[tag].offset
        for k, part in reversed(list(enumerate(variants[tag].scalars))):
            rest, digit = divmod(rest, part.type.hi - part.type.lo + 1)
            cells[variants[tag].first + k] = part.type.lo + digit
        return tuple(cells)


@cache
def _all_keys(keys: Keys) -> tuple[tuple[int, ...], ...]:
    numbers = product(*(range(part.type.lo, part.type.hi + 1) for part in keys.parts))
    return tuple(key for key in numbers if key in keys and _is_value(keys, key))


def _is_value(keys: Keys, key: tuple[int, ...]) -> bool:
    """Whether some value has these numbers: an empty optional in it holds blanks, and nothing else."""
    return keys.shape is None or _is_canonical(keys.shape, keys.cells_of(key))


def _is_canonical(shape: Shape, cells: tuple[int, ...]) -> bool:
    match shape:
        case OptionalShape(item) if not cells[0]:
            return cells[1:] == tuple(leaf.blank for leaf in leaves(item))
        case OptionalShape(item):
            return _is_canonical(item, cells[1:])
        case UnionShape():
            variant, first = variant_of(shape, cells[0])
            return _is_canonical(variant, cells[first : first + len(leaves(variant))])
        case TupleShape(items) | RecordShape(items=items):
            ends = list(accumulate((len(leaves(item)) for item in items), initial=0))
            parts = (cells[start:end] for start, end in pairwise(ends))
            return all(map(_is_canonical, items, parts))
    return True


@dataclass(frozen=True, slots=True)
class SetShape:
    """A bool for each key: whether it is in the set."""

    keys: Keys


@dataclass(frozen=True, slots=True)
class BagShape:
    """A number for each key: how often it is in the bag, at most `most` times."""

    keys: Keys
    most: int


@dataclass(frozen=True, slots=True)
class MapShape:
    """For each key, whether it is in the map, and its item."""

    keys: Keys
    item: Shape


@dataclass(frozen=True, slots=True)
class FunctionShape:
    """An item for each key."""

    keys: Keys
    item: Shape


@dataclass(frozen=True, slots=True)
class QueueShape:
    """The length, and the items from the head on."""

    capacity: int
    item: Shape


@dataclass(frozen=True, slots=True)
class OptionalShape:
    """Whether there is an item, and the item."""

    item: Shape


@dataclass(frozen=True, slots=True)
class RefShape:
    """None, or an object of a heap: 0, or the number of the object, counted from 1.

    `record` is the name of the objects' class. `capacity` and `heap`, the number of the first variable of the heap, are
    known when all of the state is declared.
    """

    record: str
    capacity: int = INT_MAX
    heap: int = -1


@dataclass(frozen=True, slots=True)
class HeapShape:
    """How many objects there are, which of them were freed, and the objects from number 1 on.

    Between two firings the objects are those that can be reached, numbered by `model.heap_numbering`.
    """

    capacity: int
    item: RecordShape
    initial: tuple[int, ...] = ()
    """The cells of an object of which nothing is said when it is made."""


class Collection(Enum):
    """What a local collection is in the language of the model. A set is a list without equal elements, a dict one of
    pairs without equal keys; all keep the order of insertion."""

    LIST = "list"
    TUPLE = "tuple"
    SET = "set"
    DICT = "dict"


@dataclass(frozen=True, slots=True)
class LocalShape:
    """A collection in local variables, which is no part of a state: the length, and at most `capacity` items."""

    kind: Collection
    capacity: int
    item: Shape


Shape = (
    ScalarShape
    | ArrayShape
    | TupleShape
    | RecordShape
    | SetShape
    | BagShape
    | MapShape
    | FunctionShape
    | QueueShape
    | OptionalShape
    | UnionShape
    | BoundedSetShape
    | RefShape
    | HeapShape
    | LocalShape
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array of scalars (one scalar if `dims` is empty) that holds a part of a variable."""

    name: str
    scalar: ScalarShape
    dims: tuple[int, ...] = ()
    ref: RefShape | None = None
    """What its cells refer to, if they are references."""

    @property
    def blank(self) -> int:
        return self.scalar.type.lo

    def within(self, prefix: str, dims: tuple[int, ...] = ()) -> Leaf:
        """The leaf as part of something larger."""
        return Leaf(prefix + self.name, self.scalar, (*dims, *self.dims), self.ref)


BOOL = ScalarShape(BoolType())
NUMBER = ScalarShape(IntType(INT_MIN, INT_MAX))
"""A number in a local variable."""


@cache
def leaves(shape: Shape) -> tuple[Leaf, ...]:
    """The leaves of a variable of that shape; their names continue its name."""
    match shape:
        case ScalarShape():
            return (Leaf("", shape),)
        case ArrayShape(length, item):
            return _within(item, "", (length,))
        case TupleShape(items):
            return tuple(leaf for k, item in enumerate(items) for leaf in _within(item, f".{k}"))
        case RecordShape(names=names, items=items):
            return tuple(leaf for name, item in zip(names, items, strict=True) for leaf in _within(item, f".{name}"))
        case SetShape(keys):
            return (Leaf("", BOOL, keys.sizes),)
        case BagShape(keys, most):
            return (Leaf("", ScalarShape(IntType(0, most)), keys.sizes),)
        case MapShape(keys, item):
            return (Leaf(".keys", BOOL, keys.sizes), *_within(item, ".values", keys.sizes))
        case FunctionShape(keys, item):
            return _within(item, "", keys.sizes)
        case QueueShape(capacity, item):
            return (Leaf(".len", ScalarShape(IntType(0, capacity))), *_within(item, ".items", (capacity,)))
        case OptionalShape(item):
            return (Leaf(".some", BOOL), *_within(item, ".value"))
        case UnionShape(variants):
            tag = Leaf(".class", ScalarShape(IntType(0, len(variants) - 1)))
            return (tag, *(leaf for each in variants for leaf in _within(each, f".{each.name}")))
        case BoundedSetShape(capacity, item):
            return (Leaf(".len", ScalarShape(IntType(0, capacity))), *_within(item, ".items", (capacity,)))
        case RefShape(capacity=capacity):
            return (Leaf("", ScalarShape(RefType(0, capacity)), (), shape),)
        case HeapShape(capacity=capacity, item=item):
            size = Leaf(".len", ScalarShape(IntType(0, capacity)))
            return (size, Leaf(".freed", BOOL, (capacity,)), *_within(item, ".items", (capacity,)))
        case LocalShape(capacity=capacity, item=item):
            return (Leaf(".len", NUMBER), *_within(item, "", (capacity,)))


def _within(item: Shape, prefix: str, dims: tuple[int, ...] = ()) -> tuple[Leaf, ...]:
    return tuple(leaf.within(prefix, dims) for leaf in leaves(item))


def part_of(shape: TupleShape | RecordShape, position: int) -> tuple[Shape, int]:
    """The shape of a part, and the number of its first leaf."""
    return shape.items[position], sum(len(leaves(item)) for item in shape.items[:position])


@dataclass(frozen=True, slots=True)
class NumberedVariant:
    """A variant of a union whose values are numbered: its first leaf, its scalars, the number of its first value."""

    first: int
    scalars: tuple[ScalarShape, ...]
    offset: int

    @property
    def size(self) -> int:
        return prod(part.type.hi - part.type.lo + 1 for part in self.scalars)


@cache
def numbered_variants(shape: UnionShape) -> tuple[NumberedVariant, ...]:
    found: list[NumberedVariant] = []
    first, offset = 1, 0
    for variant in shape.variants:
        scalars = tuple(leaf.scalar for leaf in leaves(variant))
        found.append(NumberedVariant(first, scalars, offset))
        first, offset = first + len(scalars), offset + found[-1].size
    return tuple(found)


def variant_of(shape: UnionShape, tag: int) -> tuple[RecordShape, int]:
    """The shape of a variant, and the number of its first leaf."""
    return shape.variants[tag], 1 + sum(len(leaves(variant)) for variant in shape.variants[:tag])


def inner_shapes(shape: Shape) -> tuple[Shape, ...]:
    """The shapes of its parts, items and keys."""
    match shape:
        case TupleShape(items) | RecordShape(items=items):
            return items
        case UnionShape(variants):
            return variants
        case SetShape(keys) | BagShape(keys):
            return keys.parts if keys.shape is None else (keys.shape,)
        case MapShape(keys, item) | FunctionShape(keys, item):
            return (item, *(keys.parts if keys.shape is None else (keys.shape,)))
        case ArrayShape(item=item) | QueueShape(item=item) | OptionalShape(item) | LocalShape(item=item):
            return (item,)
        case BoundedSetShape(item=item) | HeapShape(item=item):
            return (item,)
        case ScalarShape() | RefShape():
            return ()


def refers(shape: Shape) -> bool:
    """Whether it is a heap, or has references in it."""
    return isinstance(shape, RefShape | HeapShape) or any(map(refers, inner_shapes(shape)))


def is_scalars(shape: Shape) -> bool:
    """Whether it is a scalar, or an array of nothing but scalars: stored as one leaf of its own dimensions."""
    while isinstance(shape, ArrayShape):
        shape = shape.item
    return isinstance(shape, ScalarShape)


def dims_of(shape: Shape) -> tuple[int, ...]:
    """The dimensions of an array (of arrays…) of scalars."""
    dims: list[int] = []
    while isinstance(shape, ArrayShape):
        dims.append(shape.length)
        shape = shape.item
    return tuple(dims)


def noun(shape: Shape) -> str:
    """What a user calls it."""
    match shape:
        case ScalarShape():
            return "part"
        case TupleShape():
            return "tuple"
        case RecordShape(name=name):
            return name
        case LocalShape(kind=kind):
            return kind.value
        case UnionShape(variants):
            return " | ".join(variant.name for variant in variants)
        case BoundedSetShape():
            return "Set"
        case RefShape(record=record):
            return f"Ref({record})"
        case _:
            return type(shape).__name__.removesuffix("Shape")
