"""Compound values as Python objects: views of the cells where they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any, ClassVar, Self

from asset.ir.shapes import (
    ArrayShape,
    BagShape,
    BoundedSetShape,
    Keys,
    MapShape,
    OptionalShape,
    QueueShape,
    RecordShape,
    RefShape,
    ScalarShape,
    SetShape,
    Shape,
    TupleShape,
    UnionShape,
    noun,
    part_of,
    variant_of,
)
from asset.model.hooks import reject_subclass_members
from asset.model.state import Declaration, OutOfRange, Template, decoded, encoded_scalar
from asset.model.value_cells import Place, blank, detached


class View(Declaration):
    """A value that can change in place. Equal values of one shape have equal cells."""

    __slots__ = ("_place",)
    __hash__ = None  # type: ignore[assignment]
    _place: Place
    _kinds: ClassVar[dict[type, type[View]]] = {}

    def __init_subclass__(cls, of: type | None = None) -> None:
        super().__init_subclass__()
        if of is not None:
            View._kinds[of] = cls
        else:
            reject_changed_type(cls)

    @classmethod
    def _over(cls, place: Place) -> Self:
        """The value that is stored there."""
        view = cls.__new__(cls)
        object.__setattr__(view, "_place", place)
        return view

    @classmethod
    def _made(cls, shape: Shape, cells: Iterable[int], name: str, fixed: bool = False) -> Self:
        """A value with cells of its own."""
        place = detached(shape, tuple(cells), name)
        place.fixed = fixed
        return cls._over(place)

    @classmethod
    def _filled(cls, shape: Shape, items: Iterable[object], name: str) -> tuple[int, ...]:
        """The cells of a value with these items."""
        raise TypeError(f"{name} takes a value of its own {noun(shape)}")

    @classmethod
    def _cells_for(cls, shape: Shape, value: Any, name: str) -> tuple[int, ...]:
        """The cells that store the value; raises if the shape, which is one of these, does not take it."""
        if isinstance(value, cls) and value._place.shape == shape:
            return value._place.snapshot()
        if isinstance(value, _PLAIN.get(type(shape), ())) or (isinstance(value, cls) and isinstance(shape, ArrayShape)):
            assert isinstance(value, Iterable)
            return cls._filled(shape, value, name)
        raise TypeError(f"{name} takes a value of its own {noun(shape)}, not {value!r}")

    def _declares(self) -> Template:
        return Template(self._place.shape, self._place.snapshot())

    def copy(self) -> Self:
        """The value as it is now: what is assigned later does not change it, and it cannot be changed itself."""
        made = self._made(self._place.shape, self._place.snapshot(), self._place.name or "the copy", fixed=True)
        made._place.home = self._place.home
        return made

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View) or type(other) is not type(self):
            return NotImplemented
        if other._place.shape == self._place.shape:
            return self._place.snapshot() == other._place.snapshot()
        return self._same(other)

    def _same(self, other: Any) -> bool:
        """Whether a value of another shape, but of the same class, is equal."""
        return bool(list(self) == list(other)) if isinstance(self, Iterable) else False


def reject_changed_type(cls: type) -> None:
    """A subclass of a state type must not change what the type does."""
    for known in View._kinds.values():
        if issubclass(cls, known):
            reject_subclass_members(cls, known)


def value_of(place: Place) -> Any:
    """The value that is stored there: a bool, int, enum member, tuple or None, or a view."""
    match place.shape:
        case ScalarShape() as scalar:
            return decoded(scalar, place.read())
        case TupleShape(items):
            # A tuple does not change, nor do the values in it.
            return tuple(taken(component(place, k)) for k in range(len(items)))
        case RecordShape(host=host):
            assert host is not None and issubclass(host, View)
            return host._over(place)
        case OptionalShape(item):
            return taken(place.part(item, 1, suffix=".value")) if place.read() else None
        case UnionShape() as union:
            variant, leaf = variant_of(union, place.read())
            return taken(place.part(variant, leaf))
        case shape:
            return View._kinds[type(shape)]._over(place)


def component(place: Place, position: int) -> Place:
    """The place of a part of a tuple or a record."""
    shape = place.shape
    assert isinstance(shape, TupleShape | RecordShape)
    item, leaf = part_of(shape, position)
    name = shape.names[position] if isinstance(shape, RecordShape) else str(position)
    return place.part(item, leaf, suffix=f".{name}")


def taken(place: Place) -> Any:
    """The value that is stored there now, which no later assignment changes."""
    if isinstance(place.shape, ScalarShape | RefShape):
        return value_of(place)
    copy = detached(place.shape, place.snapshot(), place.name)
    copy.fixed, copy.home = True, place.home
    return value_of(copy)


def encoded(shape: Shape, value: Any, name: str) -> tuple[int, ...]:
    """The cells that store the value, leaf by leaf; raises if the shape does not take it."""
    match shape:
        case ScalarShape():
            return (encoded_scalar(shape, value, name),)
        case TupleShape(items):
            if not isinstance(value, tuple) or len(value) != len(items):
                raise TypeError(f"{name} takes a tuple of {len(items)} values, not {value!r}")
            return tuple(c for k, item in enumerate(items) for c in encoded(item, value[k], f"{name}.{k}"))
        case OptionalShape(item):
            return (0, *blank(item)) if value is None else (1, *encoded(item, value, name))
        case UnionShape(variants):
            return _encoded_variant(variants, value, name)
        case RecordShape(host=host, names=names, items=items):
            if host is None or not isinstance(value, host):
                raise TypeError(f"{name} takes {noun(shape)}, not {value!r}")
            parts = zip(names, items, strict=True)
            return tuple(c for part, item in parts for c in encoded(item, getattr(value, part), f"{name}.{part}"))
        case _:
            return View._kinds[type(shape)]._cells_for(shape, value, name)


def _encoded_variant(variants: tuple[RecordShape, ...], value: Any, name: str) -> tuple[int, ...]:
    tag = next((k for k, variant in enumerate(variants) if variant.host is type(value)), None)
    if tag is None:
        raise TypeError(f"{name} takes {' | '.join(variant.name for variant in variants)}, not {value!r}")
    parts = [encoded(v, value, name) if k == tag else blank(v) for k, v in enumerate(variants)]
    return (tag, *(cell for part in parts for cell in part))


_PLAIN: dict[type, tuple[type, ...]] = {
    SetShape: (set, frozenset),
    BoundedSetShape: (set, frozenset),
    ArrayShape: (list, tuple),
    QueueShape: (list,),
    MapShape: (dict,),
}
"""What Python has of its own that a value of the shape can be made of."""


def assign(place: Place, value: object) -> None:
    """Stores the value; if the place does not take it, raises and changes nothing."""
    name = place.cell_name() if isinstance(place.shape, ScalarShape) else place.name
    place.load(encoded(place.shape, value, name))


def key_numbers(keys: Keys, value: object) -> tuple[int, ...] | None:
    """The numbers of a key, or None if the value is not in the domain."""
    if keys.shape is not None:
        try:
            return keys.numbers_of(encoded(keys.shape, value, "the key"))
        except (TypeError, OutOfRange):
            return None
    parts = (value,) if keys.single else value
    if not isinstance(parts, tuple) or len(parts) != len(keys.parts):
        return None
    if not all(isinstance(part, int) for part in parts):
        return None
    numbers = tuple(int(part) for part in parts)
    return numbers if numbers in keys else None


def key_value(keys: Keys, numbers: tuple[int, ...]) -> Any:
    """The key as the modeller sees it."""
    if keys.shape is not None:
        return taken(detached(keys.shape, keys.cells_of(numbers)))
    parts = tuple(decoded(part, number) for part, number in zip(keys.parts, numbers, strict=True))
    return parts[0] if keys.single else parts


class Keyed(View):
    """A view with a finite domain: a Set, a Bag or a Map. Its first leaf tells which keys are in it, and they are
    iterated over by increasing numbers, each being looked at when its turn comes."""

    __slots__ = ()

    @property
    def _keys(self) -> Keys:
        shape = self._place.shape
        assert isinstance(shape, SetShape | BagShape | MapShape)
        return shape.keys

    def _position(self, key: object) -> tuple[int, ...] | None:
        """The indices of the key's cell; None if it is outside of the domain."""
        numbers = key_numbers(self._keys, key)
        return None if numbers is None else self._keys.positions(numbers)

    def _required(self, key: object) -> tuple[int, ...]:
        """The indices of the cell of a key that is to be put in."""
        position = self._position(key)
        if position is None:
            raise OutOfRange(f"{_shown(key)} is out of range: {self._place.name} takes {self._keys}")
        return position

    def _present(self, key: object) -> tuple[int, ...]:
        """The indices of the cell of a key that is to be there."""
        position = self._position(key)
        if position is None or not self._place.read(0, *position):
            raise KeyError(f"{_shown(key)} is not in {self._place.name}")
        return position

    def __contains__(self, key: object) -> bool:
        position = self._position(key)
        return position is not None and bool(self._place.read(0, *position))

    def __iter__(self) -> Iterator[Any]:
        keys = self._keys
        return (key_value(keys, key) for key in keys.all() if self._place.read(0, *keys.positions(key)))

    def __bool__(self) -> bool:
        return next(iter(self), self) is not self

    def clear(self) -> None:
        """Nothing is left in it."""
        self._place.load(blank(self._place.shape))


def _shown(value: object) -> str:
    return value.name if isinstance(value, IntEnum) else repr(value)


def text(value: object) -> str:
    """The value as it is written in a state."""
    if isinstance(value, tuple):
        return f"({', '.join(map(text, value))}{',' if len(value) == 1 else ''})"
    return _shown(value)
