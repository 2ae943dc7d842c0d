"""What may be declared as state: numbers in a range, bools, enums, and whatever is made of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from math import prod
from types import UnionType
from typing import Any, get_args

from asset.errors import ModelRejected
from asset.ir.faults import INT_MAX, INT_MIN
from asset.ir.shapes import (
    BOOL,
    ArrayShape,
    Keys,
    MapShape,
    RecordShape,
    ScalarShape,
    Shape,
    TupleShape,
    UnionShape,
    leaves,
    noun,
    numbered_variants,
    refers,
)
from asset.ir.types import BoolType, EnumType, IntType
from asset.model.hooks import MAKING, reject_enum_hooks, reject_hooks, reject_subclass_members
from asset.model.spans import user_span
from asset.model.symbols import is_symbol, is_symbolic_class, number_of, symbol_of, symbol_type, text_type
from asset.model.texts import mentioned
from asset.model.value_cells import stacked

EnumClass = type[Enum]
LARGEST_DOMAIN = 4096
"""The most values of a domain of records: a Set has a bit for each."""


class OutOfRange(ValueError):
    """A value was assigned to a state variable that does not take it."""


def rejected(message: str, remedy: str = "") -> ModelRejected:
    """The error to raise for a mistake in the code that is now running."""
    error = ModelRejected.of(message, user_span(), remedy)
    assert isinstance(error, ModelRejected)
    return error


def decoded(scalar: ScalarShape, value: int) -> Any:
    """The stored number as the modeller sees it: a bool, a member of an enumeration, a text or an int."""
    if scalar.host is not None and issubclass(scalar.host, IntEnum):
        return scalar.host(value)
    if scalar.host is not None:
        return symbol_of(scalar.host, value)
    return bool(value) if isinstance(scalar.type, BoolType) else value


def encoded_scalar(scalar: ScalarShape, value: object, cell: str) -> int:
    """The number to store; raises if the cell does not take the value."""
    symbolic = isinstance(scalar.type, EnumType) and scalar.type.is_symbolic
    if not (is_symbol(value) if symbolic else isinstance(value, int)):
        raise TypeError(f"{cell} takes {scalar.type}, not {value!r}")
    number = number_of(value)
    if number not in scalar.type:
        name, shown = cell.partition("[")[0], value if symbolic else number
        raise OutOfRange(f"{cell} = {shown} is out of range: {name} takes {scalar.type}")
    return number


@dataclass(frozen=True, slots=True)
class Template:
    """What a declaration stands for: a shape, and the cells of its initial value, leaf by leaf."""

    shape: Shape
    cells: tuple[int, ...]


class Declaration(ABC):
    """What stands for a shape and an initial value in `state()`."""

    __slots__ = ()

    @abstractmethod
    def _declares(self) -> Template:
        """The shape and the initial value."""

    @classmethod
    def _as_written(cls) -> str:
        """How an object of the class is written, where the class alone says too little."""
        return f"{cls.__name__}(...)"


class Int(Declaration):
    """Declares an integer from `lo` to `hi`; initially `init`, which is 0 if that is in the range, else `lo`."""

    __slots__ = ("init", "shape")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        reject_subclass_members(cls, Int)

    def __init__(self, lo: int, hi: int, init: int | None = None) -> None:
        for bound in (lo, hi):
            if not isinstance(bound, int) or not INT_MIN <= bound <= INT_MAX:
                raise rejected(f"the bounds of Int must be 64-bit integers, not {bound!r}")
        if lo > hi:
            raise rejected(
                f"Int({lo}, {hi}) has no values: its lower bound is above its upper bound", f"write Int({hi}, {lo})"
            )
        self.shape = ScalarShape(IntType(int(lo), int(hi)))
        if init is None:
            init = 0 if lo <= 0 <= hi else lo
        if not isinstance(init, int) or init not in self.shape.type:
            raise rejected(
                f"the initial value {init!r} is out of range: {lo}..{hi}", f"give a number from {lo} to {hi}"
            )
        self.init = int(init)

    def _declares(self) -> Template:
        return Template(self.shape, (self.init,))

    def __repr__(self) -> str:
        return f"Int({self.shape.type.lo}, {self.shape.type.hi}, {self.init})"


class OneOf(Declaration):
    """Declares one of the texts: `OneOf("idle", "waiting", "busy")`; initially the first, or `init`."""

    __slots__ = ("init", "shape")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        reject_subclass_members(cls, OneOf)

    def __init__(self, *texts: str, init: str | None = None) -> None:
        given = tuple(texts[0]) if len(texts) == 1 and not isinstance(texts[0], str) else texts
        if not given or not all(type(text) is str and text for text in given):
            raise rejected(f"OneOf takes texts that are not empty, not {given!r}", "use an Enum for other values")
        if init is not None and init not in given:
            raise rejected(f"the initial value {init!r} is none of {', '.join(given)}")
        self.shape = ScalarShape(text_type(given), str)
        self.init = given[0] if init is None else init

    def _declares(self) -> Template:
        return Template(self.shape, (number_of(self.init),))


class Bits(Int):
    """Declares an unsigned integer of `width` bits."""

    __slots__ = ()

    def __init__(self, width: int = 8, init: int = 0) -> None:
        if not isinstance(width, int) or not 1 <= width <= 63:
            raise rejected(f"Bits takes a width from 1 to 63, not {width!r}")
        super().__init__(0, 2**width - 1, init)


def has_parts_with_names(cls: type) -> bool:
    """Whether it is a NamedTuple or a dataclass, which a Record stands for."""
    return (issubclass(cls, tuple) and hasattr(cls, "_fields")) or hasattr(cls, "__dataclass_fields__")


def template(value: object, what: str) -> Template:
    """The shape and the initial cells that a value declares; rejects what is not a declaration."""
    match value:
        case bool():
            return Template(BOOL, (int(value),))
        case Enum():
            return Template(enum_shape(type(value)), (number_of(value),))
        case str():
            return _text(value, what)
        case list():
            return _row(value, what)
        case Declaration():
            return value._declares()
        case tuple():
            reject_hooks(type(value), tuple, (), MAKING)
            parts = [template(part, what) for part in value]
            cells = tuple(cell for part in parts for cell in part.cells)
            return Template(TupleShape(tuple(part.shape for part in parts)), cells)
        case UnionType():
            return union(get_args(value), what)
        case type():
            return _of_class(value, what)
        case int():
            raise rejected(f"{what} is an int without a range", f"write Int(lo, hi, {value}) instead of {value}")
        case dict():
            return _mapping(value, what)
        case set() | frozenset():
            raise rejected(f"{what} is {article(type(value).__name__)} without a domain", _SETS)
        case _ if has_parts_with_names(type(value)):
            name = type(value).__name__
            remedy = f"make it a record: class {name}(Record), with parts such as x: Int(0, 7)"
            raise rejected(f"{what} is {article(name)}, which a state cannot hold", remedy)
        case _:
            raise rejected(
                f"{what} is {article(type(value).__name__)}, which a state cannot hold",
                "state variables are bool, enum members, texts, Int(lo, hi, init), Bits(width), Array, Record, Set, "
                "Queue, Bag, Map, Optional, Heap, Ref and tuples of them",
            )


_SETS = "write Set(domain, items): Set(3) is a set of numbers from 0 to 2, Set(3, {0, 1}) has two of them at first"


def _text(value: str, what: str) -> Template:
    """A text: the variable takes those that the model mentions."""
    known = mentioned()
    if known is None or value not in known:
        raise rejected(f"{what} is the text {value!r}", f'say which others it takes: OneOf("{value}", ...)')
    return Template(ScalarShape(text_type(known), str), (number_of(value),))


_MAPS = "write Map(domain, item), say Map(3, Int(0, 9)), and give its items: self.m[0] = 5"


def _mapping(items: dict[Any, Any], what: str) -> Template:
    """A dict of declarations is a Map that has these keys."""
    classes = {type(key) for key in items}
    if not items:
        raise rejected(f"{what} is an empty dict", _MAPS)
    if len(classes) > 1:
        raise rejected(f"{what} is a dict whose keys are not alike", _MAPS)
    first, cls = next(iter(items)), next(iter(classes))
    domain = cls if isinstance(first, Enum) else OneOf(*items) if cls is str else None
    if domain is None and not all(type(key) is int for key in items):
        raise rejected(f"{what} is a dict whose keys are neither numbers, texts nor members of an Enum", _MAPS)
    keys = keys_of(range(min(items), max(items) + 1) if domain is None else domain, what)
    parts = {number_of(key): template(item, f"{what}[{key!r}]") for key, item in items.items()}
    item = next(iter(parts.values())).shape
    if any(part.shape != item for part in parts.values()):
        raise rejected(f"{what} is a dict whose items are not alike", "write a Record with a part for each")
    numbers = range(keys.parts[0].type.lo, keys.parts[0].type.hi + 1)
    blank = tuple(leaf.blank for leaf in leaves(item) for _ in range(prod(leaf.dims)))
    present = tuple(int(number in parts) for number in numbers)
    cells = [parts[number].cells if number in parts else blank for number in numbers]
    return Template(MapShape(keys, item), (*present, *stacked(item, cells)))


def _row(items: list[Any], what: str) -> Template:
    """A list of declarations is an Array of its length."""
    if not items:
        raise rejected(f"{what} is an empty list", "write Queue(capacity, item) for what grows, or Array(length, item)")
    parts = [template(item, f"{what}[{k}]") for k, item in enumerate(items)]
    odd = next((k for k, part in enumerate(parts) if part.shape != parts[0].shape), None)
    if odd is not None:
        types = [part.shape.type for part in parts if isinstance(part.shape, ScalarShape)]
        numbers = len(types) == len(parts) and all(isinstance(each, IntType) for each in types)
        one = f"give them one range: Int({min(t.lo for t in types)}, {max(t.hi for t in types)})" if numbers else ""
        remedy = one or "write a tuple, or a Record"
        raise rejected(f"{what} is a list whose items are not alike: [0] and [{odd}]", remedy)
    cells = stacked(parts[0].shape, [part.cells for part in parts])
    return Template(ArrayShape(len(items), parts[0].shape), cells)


def union(parts: Sequence[object], what: str) -> Template:
    """One of several records; at first, the first one."""
    templates = [template(part, what) for part in parts]
    variants: list[RecordShape] = []
    for each in templates:
        if isinstance(each.shape, UnionShape):
            variants += each.shape.variants
        elif isinstance(each.shape, RecordShape):
            variants.append(each.shape)
        else:
            raise rejected(f"{what} is a union of something else than records", "write Optional(...) for None")
    if len({variant.host for variant in variants}) < len(variants):
        raise rejected(f"{what} is a union with a record twice", "name each class once")
    shape = UnionShape(tuple(variants))
    blank = [leaf.blank for leaf in leaves(shape) for _ in range(prod(leaf.dims))]
    first = templates[0].cells if isinstance(templates[0].shape, UnionShape) else (0, *templates[0].cells)
    return Template(shape, (*first, *blank[len(first) :]))


def _of_class(cls: type, what: str) -> Template:
    """A class stands for its first value: `bool` for False, an Enum for its first member, a Record for itself."""
    if cls is bool:
        return template(False, what)
    if issubclass(cls, Enum) and len(cls):
        return template(next(iter(cls)), what)
    if issubclass(cls, Declaration):
        try:
            declaration = cls()
        except TypeError as error:
            raise rejected(f"{what} is the class {cls.__name__}: {error}", f"write {cls._as_written()}") from None
        return template(declaration, what)
    raise rejected(
        f"{what} is the class {cls.__name__}",
        "give a value, Int(lo, hi), OneOf(texts), or a class of values: bool, an Enum, a Record",
    )


def keys_of(domain: object, what: str) -> Keys:
    """The finite domain that is given: a number n for range(n), a range, an Int, an Enum, bool, texts; or a tuple."""
    if isinstance(domain, tuple) and domain and all(type(part) is str for part in domain):
        domain = OneOf(*domain)
    if isinstance(domain, tuple) and domain and not any(map(_has_shape, domain)):
        return Keys(tuple(_key(part, what) for part in domain), single=False)
    return _keys_with_shape(domain, what) if _has_shape(domain) else Keys((_key(domain, what),))


def _has_shape(domain: object) -> bool:
    """Whether it declares values of several cells."""
    is_record = isinstance(domain, type) and issubclass(domain, Declaration)
    return (
        is_record
        or isinstance(domain, tuple | UnionType)
        or (isinstance(domain, Declaration) and not isinstance(domain, Int | OneOf))
    )


def _keys_with_shape(domain: object, what: str) -> Keys:
    """Records, unions of them and nested tuples as keys: finite, if all their parts are."""
    shape = domain_template(domain, what).shape
    if not isinstance(shape, RecordShape | TupleShape | UnionShape) or any(leaf.dims for leaf in leaves(shape)):
        raise rejected(
            f"{what} takes numbers, records and tuples of numbers, not {article(noun(shape))} with items",
            "give the most elements that there can be: Set(..., at_most=8)",
        )
    if isinstance(shape, UnionShape):
        size = sum(variant.size for variant in numbered_variants(shape))
        keys = Keys((ScalarShape(IntType(0, size - 1)),), single=False, shape=shape)
    else:
        keys = Keys(tuple(leaf.scalar for leaf in leaves(shape)), single=False, shape=shape)
    if prod(keys.sizes) > LARGEST_DOMAIN:
        raise rejected(
            f"there are {prod(keys.sizes)} values that {what} could hold, and {LARGEST_DOMAIN} are the most",
            "give the most elements that there can be: Set(..., at_most=8)",
        )
    return keys


def domain_template(domain: object, what: str) -> Template:
    """The shape of the values of a domain, each of which may be of any shape."""
    found = template(_declared_part(domain), f"the domain of {what}")
    if refers(found.shape):
        raise rejected(
            f"{what} takes no references: which object comes first is not known before objects are numbered",
            "use an Array or a Queue of references, or a part of the record that says whether it is in the set",
        )
    return found


def _declared_part(domain: object) -> object:
    """A domain as a declaration: in a tuple, a number n stands for 0 to n - 1."""
    if isinstance(domain, tuple):
        return tuple(_declared_part(part) for part in domain)
    if isinstance(domain, int) and not isinstance(domain, bool):
        return Int(0, domain - 1)
    if isinstance(domain, range) and len(domain) and domain.step == 1:
        return Int(domain[0], domain[-1])
    return domain


def _key(domain: Any, what: str) -> ScalarShape:
    if domain is bool:
        return BOOL
    if isinstance(domain, type) and issubclass(domain, Enum) and len(domain):
        return enum_shape(domain)
    if isinstance(domain, Int | OneOf):
        return domain.shape
    if isinstance(domain, list | set | frozenset | dict) and domain and all(type(part) is str for part in domain):
        return OneOf(*domain).shape
    values = range(domain) if isinstance(domain, int) and not isinstance(domain, bool) else domain
    if isinstance(values, range) and len(values) and values.step == 1:
        return ScalarShape(IntType(values[0], values[-1]))
    raise rejected(
        f"{what} needs a finite domain, not {domain.__name__ if isinstance(domain, type) else repr(domain)}",
        "give a number n for 0 to n - 1, a range, an Enum class, bool, a list of texts, or a tuple of these for pairs",
    )


def article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"


def enum_shape(cls: EnumClass) -> ScalarShape:
    reject_enum_hooks(cls)
    if is_symbolic_class(cls):
        return ScalarShape(symbol_type(cls), cls)
    return ScalarShape(EnumType(cls.__name__, tuple((member.name, number_of(member)) for member in cls)), cls)
