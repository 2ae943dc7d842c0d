"""Records: named parts, as in a dataclass."""

from __future__ import annotations

import inspect
from types import UnionType
from typing import Any, ClassVar, dataclass_transform

from asset.ir.shapes import RecordShape
from asset.model.hooks import reject_hooks
from asset.model.state import Declaration, Template, rejected, template, union
from asset.model.value_cells import Place, detached
from asset.model.views import View, assign, component, encoded, text, value_of

_MISSING = object()


class Field:
    """A part of a record: in a state it is stored there; in a value it is what was given."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, record: Record | None, owner: type) -> Any:
        if record is None:
            return self
        if record._values is not None:
            return initial(record._values[self.name])
        return value_of(self._place(record))

    def __set__(self, record: Record, value: object) -> None:
        if record._values is not None:
            raise TypeError(f"this {type(record).__name__} does not change: it is a value, and no part of a state")
        assign(self._place(record), value)

    def _place(self, record: Record) -> Place:
        shape = record._place.shape
        assert isinstance(shape, RecordShape)
        return component(record._place, shape.names.index(self.name))


class Either(Declaration):
    """Declares one of several records: `Prepare(ballot=Int(0, 3)) | Accept(...)`."""

    __slots__ = ("_parts",)

    def __init__(self, parts: tuple[object, ...]) -> None:
        self._parts = parts

    def _declares(self) -> Template:
        return union(self._parts, "a union")

    def __or__(self, other: object) -> Either:
        return Either((*self._parts, other))


@dataclass_transform(kw_only_default=False)
class Record(View):
    """A group of named parts: subclass it and annotate them.

    In `state()` a record declares: its parts are declarations, given to the class or, if parameters matter, to
    the constructor. Elsewhere `Message(Kind.REQUEST, 2)` is a value, to be assigned, put into a queue or compared.
    """

    __slots__ = ("_values",)
    _values: dict[str, Any] | None
    _fields: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        reject_record_hooks(cls)
        fields = dict(cls._fields)
        for name in inspect.get_annotations(cls):
            if name.startswith("_") or hasattr(Record, name):
                raise rejected(f"a part of a Record cannot be called {name}", "choose another name")
            fields[name] = vars(cls).get(name, _MISSING)
            setattr(cls, name, Field(name))
        cls._fields = fields
        setattr(cls, "__match_args__", tuple(fields))  # noqa: B010 (type checkers know it of dataclasses only)

    def __init__(self, *positional: Any, **named: Any) -> None:
        try:
            given = _signature(type(self)).bind(*positional, **named).arguments
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}") from None
        object.__setattr__(self, "_values", {n: given[n] if n in given else self._default(n) for n in self._fields})

    @classmethod
    def _default(cls, name: str) -> Any:
        """The default of a part: its initial value, which is that of its declaration."""
        default = cls._declared(name)
        if default is _MISSING:
            raise TypeError(f"{cls.__name__} needs its {name}")
        return default

    @classmethod
    def _declared(cls, name: str) -> Any:
        """What the class says of a part: its default, else its annotation if that is a declaration."""
        if cls._fields[name] is not _MISSING:
            return cls._fields[name]
        owner = next(base for base in cls.__mro__ if name in inspect.get_annotations(base))
        try:
            annotation = inspect.get_annotations(owner, eval_str=True)[name]
        except NameError:  # text that names something of a function: it says nothing here
            return _MISSING
        plain = annotation in (int, str, tuple, Any) or not isinstance(annotation, type | Declaration | tuple)
        return _MISSING if plain else annotation

    @classmethod
    def _as_written(cls) -> str:
        missing = [name for name in cls._fields if cls._declared(name) is _MISSING]
        return f"{cls.__name__}({', '.join(f'{name}=Int(lo, hi)' for name in missing)}), or whatever {_parts(missing)}"

    @classmethod
    def _over(cls, place: Place) -> Any:
        record = super()._over(place)
        object.__setattr__(record, "_values", None)
        return record

    def _declares(self) -> Template:
        reject_record_hooks(type(self))  # again, as a decorator of the class may have changed it
        if self._values is None:
            return super()._declares()
        parts = [self._part_template(name, value) for name, value in self._values.items()]
        shape = RecordShape(type(self).__name__, tuple(self._values), tuple(p.shape for p in parts), type(self))
        return Template(shape, tuple(cell for part in parts for cell in part.cells))

    def _part_template(self, name: str, value: Any) -> Template:
        """What is declared by the value itself; a mere value begins what the class declares."""
        what = f"{type(self).__name__}.{name}"
        declared = self._declared(name)
        if declared is _MISSING or _is_declaration(value):
            return template(value, what)
        shape = template(declared, what).shape
        return Template(shape, encoded(shape, value, what))

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self._fields:
            raise AttributeError(f"{type(self).__name__} has no part '{name}'; it has: {', '.join(self._fields)}")
        super().__setattr__(name, value)

    def __hash__(self) -> int:  # type: ignore[override]
        if self._values is None and not self._place.fixed:
            raise TypeError(f"this {type(self).__name__} may change: a set takes a copy of it")
        return hash((type(self), *(getattr(self, name) for name in self._fields)))

    def __or__(self, other: object) -> Either:
        """Declares one of several records."""
        return Either((self, other))

    def __ror__(self, other: object) -> Either:
        return Either((other, self))

    def copy(self) -> Any:
        """The record as it is now: what is assigned later does not change it, and it cannot be changed itself."""
        if self._values is not None:
            return self
        place = detached(self._place.shape, self._place.snapshot(), self._place.name or "the copy")
        place.fixed, place.home = True, self._place.home
        return self._over(place)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._fields)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={text(getattr(self, name))}" for name in self._fields)
        return f"{type(self).__name__}({parts})"


def _parts(names: list[str]) -> str:
    return "that part is" if len(names) == 1 else "those parts are"


def reject_record_hooks(cls: type[Record]) -> None:
    """The parts of a record are cells: a class must not say otherwise."""
    replaced = {
        name
        for base in cls.__mro__
        for name, member in vars(base).items()
        if name in cls._fields and not isinstance(member, Field) and name not in inspect.get_annotations(base)
    }
    own = {name for known in (Record, View, Declaration) for name in vars(known)}
    reject_hooks(cls, Record, own | replaced, {"_fields", "_abc_impl"})


def _is_declaration(value: object) -> bool:
    """Whether it says which values there are, and not merely one of them."""
    parts = isinstance(value, tuple | list) and any(map(_is_declaration, value))
    return parts or isinstance(value, Declaration | type | UnionType)


def initial(value: Any) -> Any:
    """A value; of a declaration, its initial value."""
    if isinstance(value, View) or not isinstance(value, Declaration | type):
        return value
    declared = template(value, "a part of a Record")
    return value_of(detached(declared.shape, declared.cells))


def _signature(cls: type[Record]) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(name, kind, default=None) for name in cls._fields])
