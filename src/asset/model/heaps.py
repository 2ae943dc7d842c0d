"""Heaps: records that refer to each other."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from inspect import getattr_static
from types import FunctionType, MethodType
from typing import Any

from asset.ir.shapes import (
    ArrayShape,
    BoundedSetShape,
    HeapShape,
    MapShape,
    OptionalShape,
    QueueShape,
    RecordShape,
    RefShape,
    Shape,
    TupleShape,
    UnionShape,
    inner_shapes,
)
from asset.model.hooks import reject_subclass_members
from asset.model.queues import Full
from asset.model.records import Record
from asset.model.state import Declaration, Template, rejected, template
from asset.model.value_cells import Place, StateCells, blank
from asset.model.views import View, assign, component, encoded, value_of

UNRESOLVED = RefShape("").heap
"""The heap of a reference while the state is declared: its own."""


class Dangling(Exception):
    """An object is used that was freed."""


class Ref(Declaration):
    """Declares a variable that is None or refers to a record in the model's `Heap` of that class; initially `init`.

    In the class itself its name stands for it: `next: Ref("Node")`.
    """

    __slots__ = ("_init", "_shape")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        reject_subclass_members(cls, Ref)

    def __init__(self, record: object, init: object = None) -> None:
        named = record.__name__ if isinstance(record, type) and issubclass(record, Record) else record
        if not isinstance(named, str):
            raise rejected(f"Ref takes a Record, or the name of one, and not {record!r}", "write Ref(Node)")
        self._shape = RefShape(named)
        self._init = encoded(self._shape, init, "the initial value")

    def _declares(self) -> Template:
        return Template(self._shape, self._init)

    def __repr__(self) -> str:
        return f"Ref({self._shape.record})"


class Reference(View, of=RefShape):
    """A reference to an object: its parts are those of the object. `is` and `==` say whether it is the same object.

    It belongs to one state: when a transition has fired, objects that cannot be reached are gone, and the others have
    other numbers.
    """

    __slots__ = ("_heap", "_number")
    _heap: Place
    _number: int

    @classmethod
    def _over(cls, place: Place) -> Any:
        """What is referred to: None, or a reference."""
        number, shape = place.read(), place.shape
        assert isinstance(shape, RefShape)
        if not number:
            return None
        heap = place.home.heaps.get(shape.heap) if isinstance(place.home, StateCells) else None
        if heap is None or shape.record != _record_of(heap).name:
            raise rejected(
                f"{place.name} cannot be followed here", "keep references in local variables while declaring"
            )
        return cls._to(heap, number)

    @classmethod
    def _to(cls, heap: Place, number: int) -> Reference:
        """The reference to the object: the same one as long as the state is."""
        cells = heap.cells
        assert isinstance(cells, StateCells)
        known = cells.references.get((heap.leaf, number))
        if known is None:
            known = cls.__new__(cls)
            object.__setattr__(known, "_heap", heap)
            object.__setattr__(known, "_number", number)
            cells.references[heap.leaf, number] = known
        assert isinstance(known, Reference)
        return known

    @classmethod
    def _cells_for(cls, shape: Shape, value: Any, name: str) -> tuple[int, ...]:
        assert isinstance(shape, RefShape)
        if value is None:
            return (0,)
        if not isinstance(value, Reference) or _record_of(value._heap).name != shape.record:
            raise TypeError(f"{name} takes None or a reference to a {shape.record}, not {value!r}")
        value._current()
        return (value._number,)

    def _declares(self) -> Template:
        return Template(RefShape(_record_of(self._heap).name), (self._number,))

    def _current(self) -> None:
        cells = self._heap.cells
        assert isinstance(cells, StateCells)
        if cells.references.get((self._heap.leaf, self._number)) is not self:
            raise TypeError("this reference is of an earlier state: read it again where it is stored")

    def _object(self) -> Place:
        """Where the object is; raises if it was freed."""
        self._current()
        if self._heap.read(1, self._number - 1):
            raise Dangling(f"the object of {self._heap.name} was freed")
        return self._heap.part(_record_of(self._heap), 2, self._number - 1, suffix=".items")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        shape = _record_of(self._heap)
        if name in shape.names:
            return value_of(component(self._object(), shape.names.index(name)))
        member = getattr_static(shape.host, name, None)
        if isinstance(member, FunctionType) and name not in vars(Record):
            return MethodType(member, self)
        raise AttributeError(f"{shape.name} has no part '{name}'; it has: {', '.join(shape.names)}")

    def __setattr__(self, name: str, value: object) -> None:
        shape = _record_of(self._heap)
        if name not in shape.names:
            raise AttributeError(f"{shape.name} has no part '{name}'; it has: {', '.join(shape.names)}")
        assign(component(self._object(), shape.names.index(name)), value)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:  # type: ignore[override]
        return object.__hash__(self)

    def copy(self) -> Any:
        raise TypeError("a reference is not copied: it is the same object under any name")

    def __repr__(self) -> str:
        return f"#{self._number}"


def _record_of(heap: Place) -> RecordShape:
    assert isinstance(heap.shape, HeapShape)
    return heap.shape.item


class Heap(View, of=HeapShape):
    """At most `at_most` objects like `record`, made by `new`, to which variables and parts of type `Ref` refer.

    Objects that cannot be reached are gone at the end of each transition. States that differ only in where the objects
    are stored are one state.
    """

    __slots__ = ()

    def __init__(self, record: object, at_most: int) -> None:
        if isinstance(at_most, bool) or not isinstance(at_most, int) or at_most < 1:
            raise rejected(f"at_most is the number of objects that there can be, at least 1, and not {at_most!r}")
        item = template(record, "the record of a Heap")
        if not isinstance(item.shape, RecordShape):
            raise rejected("a Heap holds records", "write a class Node(Record), and Heap(Node, at_most=4)")
        shape = HeapShape(int(at_most), item.shape, item.cells)
        place = self._made(shape, blank(shape), "heap")._place
        cells = place.cells = place.home = StateCells(place.cells)
        cells.heaps[UNRESOLVED] = self._place = place

    @property
    def _shape(self) -> HeapShape:
        shape = self._place.shape
        assert isinstance(shape, HeapShape)
        return shape

    def __len__(self) -> int:
        """How many objects there are, those that were freed and are still referred to included."""
        return self._place.read()

    def __bool__(self) -> bool:
        return len(self) > 0

    def full(self) -> bool:
        """Whether there is no room for one object more."""
        return len(self) == self._shape.capacity

    def new(self, *positional: Any, **named: Any) -> Any:
        """A new object with these parts; the others are as they were declared. Raises if there is no room."""
        shape, length = self._shape.item, len(self)
        given = _bound(shape, positional, named)
        if self.full():
            raise Full(no_room(self._place.name, self._shape))
        place = self._place.part(shape, 2, length, suffix=".items")
        place.load(self._shape.initial)
        for name, value in given.items():
            assign(component(place, shape.names.index(name)), value)
        self._place.write(length + 1)
        return Reference._to(self._place, length + 1)

    def free(self, reference: Any) -> None:
        """The object is no longer there: to use it is a model error. References to it can still be compared."""
        if not isinstance(reference, Reference) or _record_of(reference._heap) != self._shape.item:
            raise TypeError(f"{self._place.name} has no object {reference!r} to free")
        place = reference._object()
        place.load(blank(place.shape))
        self._place.write(1, 1, reference._number - 1)

    def copy(self) -> Any:
        raise TypeError("a Heap is not copied: references would not know to which one they refer")

    def __repr__(self) -> str:
        return f"<{len(self)} of {self._shape.capacity} objects>"


def no_room(name: str, shape: HeapShape) -> str:
    """What is wrong if one object more is made."""
    return f"{name} is full: it holds {shape.capacity} (wait while {name}.full(), or give a larger at_most)"


def _bound(shape: RecordShape, positional: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """The parts that are given, in their order."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(name, kind, default=None) for name in shape.names])
    try:
        given = signature.bind(*positional, **named).arguments
    except TypeError as error:
        raise TypeError(f"{shape.name}: {error}") from None
    return dict(given)


# --- which heap a reference is about --------------------------------------------------------------------------------


class Misreferred(Exception):
    """A variable refers to nothing, or to several heaps: its name, what is wrong, and what to do."""

    def __init__(self, variable: str, message: str, remedy: str) -> None:
        super().__init__(message)
        self.variable, self.message, self.remedy = variable, message, remedy


def heaps_of(shapes: Mapping[str, Shape], firsts: Mapping[str, int]) -> dict[str, RefShape]:
    """For each class of objects, a reference to one in its heap; `firsts` has the first leaf of each variable.

    Raises Misreferred if there is more than one.
    """
    found: dict[str, RefShape] = {}
    for name, shape in shapes.items():
        if isinstance(shape, HeapShape):
            record = shape.item.name
            if record in found:
                raise Misreferred(
                    name,
                    f"self.{name} is a second Heap of {record}: a Ref({record}) could refer into either",
                    "declare one Heap for each class; a subclass of a Record is a class of its own",
                )
            found[record] = RefShape(record, shape.capacity, firsts[name])
    return found


def resolved(name: str, shape: Shape, heaps: Mapping[str, RefShape]) -> Shape:
    """The shape of a variable with references that know their heap. Raises Misreferred if there is none."""
    match shape:
        case RefShape(record=record):
            if record not in heaps:
                raise Misreferred(
                    name,
                    f"there is no Heap that a Ref({record}) could refer into",
                    f"declare one in state(): self.heap = Heap({record}, at_most=4)",
                )
            return heaps[record]
        case TupleShape(items):
            return TupleShape(tuple(resolved(name, item, heaps) for item in items))
        case RecordShape():
            return _resolved_record(name, shape, heaps)
        case UnionShape(variants):
            return UnionShape(tuple(_resolved_record(name, variant, heaps) for variant in variants))
        case HeapShape():
            return replace(shape, item=_resolved_record(name, shape.item, heaps))
        case ArrayShape() | QueueShape() | OptionalShape() | MapShape() | BoundedSetShape():
            return replace(shape, item=resolved(name, shape.item, heaps))
        case _:
            return shape


def _resolved_record(name: str, shape: RecordShape, heaps: Mapping[str, RefShape]) -> RecordShape:
    return replace(shape, items=tuple(resolved(name, item, heaps) for item in shape.items))


def reject_inner_heaps(name: str, shape: Shape) -> None:
    """A heap is a variable of its own."""
    inner = shape.item if isinstance(shape, HeapShape) else shape
    if _has_heap(inner):
        raise rejected(f"self.{name} has a Heap in it", "a Heap is a variable of its own: self.heap = Heap(...)")


def _has_heap(shape: Shape) -> bool:
    return isinstance(shape, HeapShape) or any(map(_has_heap, inner_shapes(shape)))
