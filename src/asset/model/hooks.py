"""The hooks of Python's data model: what a class of the user's may define, and what would be ignored when compiled.

Compiled code computes with the cells of a state, and knows the operators of the language's own types only. An operator
that a class defines itself would run in CPython and be ignored here, so it is rejected where it is declared.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Container, Iterator
from enum import Enum, EnumMeta, Flag, IntEnum
from types import FunctionType
from typing import Generic

from asset.errors import ModelRejected
from asset.model.decorations import NOTE
from asset.model.spans import class_span, definition_span, user_span
from asset.span import Span

_MADE_BY_PYTHON = frozenset(
    ("__module__", "__doc__", "__qualname__", "__annotations__", "__dict__", "__weakref__", "__slots__", "_abc_impl")
) | {"__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations_cache__", "__conditional_annotations__"}
_ABOUT_CLASSES = frozenset(("__orig_bases__", "__parameters__", "__type_params__", "__static_attributes__", NOTE)) | {
    "__firstlineno__",
    "__match_args__",
    "__isabstractmethod__",
}
_SHOWING = frozenset(("__repr__", "__str__", "__format__", "__sizeof__", "__dir__", "__rich__", "__rich_repr__"))
_PICKLING = frozenset(("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__")) | {
    "__getnewargs_ex__",
    "__replace__",
}
HARMLESS = _MADE_BY_PYTHON | _ABOUT_CLASSES | _SHOWING | _PICKLING
"""Names with two underscores that do not change what a method of a model does."""

MAKING = frozenset(
    ("__new__", "__init__", "__init_subclass__", "__class_getitem__", "__post_init__", "__set_name__")
) | {
    "__new_member__"  # as an enumeration calls its __new__
}
"""Hooks that run while an object or a class is made. Those of a constant have run before a model is compiled."""

_METACLASSES = (type, ABCMeta, EnumMeta)
_DEFINED_IN_PYTHON = 1 << 9
"""The bit in `__flags__` of a class that Python code defined: what the interpreter has built in is no one's own."""
_OF_ENUMS = frozenset(("_missing_", "value", "name", "_value_"))


def is_hook(name: str) -> bool:
    """Whether Python calls what has this name by itself."""
    return name.startswith("__") and name.endswith("__") and name not in HARMLESS


def reject_hooks(cls: type, known: type, also: Container[str] = (), allowed: Container[str] = ()) -> None:
    """Raises ModelRejected if the class, or a base class that is none of `known`, defines a hook or one of `also`."""
    for owner, name, member in _own_members(cls, known):
        made = name == "__hash__" and member is None  # by Python, for a class with __eq__
        if name not in allowed and not made and (is_hook(name) or (name in also and name not in HARMLESS)):
            what = "replace what {} itself uses" if hasattr(known, name) else "be ignored: {} has no such operator"
            message = f"{owner.__name__}.{name} would {what.format(known.__name__)}"
            raise ModelRejected.of(message, _place(owner, member), _remedy(name, known))
    reject_metaclass(cls)


def reject_metaclass(cls: type) -> None:
    if type(cls) not in _METACLASSES:
        what = f"{cls.__name__} has the metaclass {type(cls).__name__}, which may change what its methods mean"
        raise ModelRejected.of(what, class_span(cls) or user_span(), "leave out the metaclass")


def _remedy(name: str, known: type) -> str:
    if name.startswith("__dataclass_"):
        return "leave out @dataclass: the parts of a record and the parameters of a model are declared without it"
    if name == "__init__" and known.__name__ in ("Model", "Record"):
        return "put it in state()" if known.__name__ == "Model" else "give the parts default values"
    return "write a method with a name of its own, and call it"


def _own_members(cls: type, known: type) -> Iterator[tuple[type, str, object]]:
    for owner in cls.__mro__:
        if owner not in known.__mro__ and owner is not Generic and owner.__flags__ & _DEFINED_IN_PYTHON:
            for name, member in vars(owner).items():
                yield owner, name, member


def _place(owner: type, member: object) -> Span | None:
    if isinstance(member, FunctionType) and not member.__code__.co_filename.startswith("<"):
        return definition_span(member)
    return class_span(owner) or user_span()


def reject_number_hooks(cls: type[int]) -> None:
    """A subclass of int is a number here, whatever else it says."""
    if issubclass(cls, Enum):
        reject_enum_hooks(cls)
    elif cls not in (int, bool):
        reject_hooks(cls, int, (), MAKING)


def reject_enum_hooks(cls: type[Enum]) -> None:
    """The members of an IntEnum are numbers here, those of an Enum are compared: no class must say otherwise."""
    if issubclass(cls, Flag):
        what = f"{cls.__name__} is a Flag, whose operators are its own"
        raise ModelRejected.of(what, class_span(cls), "use a Set of an IntEnum, or plain numbers")
    if not issubclass(cls, IntEnum):
        reject_hooks(cls, Enum, (), MAKING)
        mixed = getattr(cls, "_member_type_", object)
        if mixed is not object:
            what = f"the members of {cls.__name__} are of type {mixed.__name__} as well"
            raise ModelRejected.of(what, class_span(cls), "write Enum, or IntEnum if they are numbers")
        return
    methods = {name for _, name, member in _own_members(cls, IntEnum) if name in _OF_ENUMS and not _is_member(member)}
    reject_hooks(cls, IntEnum, methods, MAKING)
    odd = next((member for member in cls if type(member._value_) is not int or member._value_ != int(member)), None)
    if odd is not None:
        what = f"the value of {cls.__name__}.{odd.name} is {odd._value_!r}, which is not its number"
        raise ModelRejected.of(what, class_span(cls), "give each member an integer")


def _is_member(member: object) -> bool:
    """Whether an enumeration has a member of that name, such as `value`; not whether it defines a method."""
    return not isinstance(member, FunctionType | classmethod | staticmethod | property)


def reject_subclass_members(cls: type, known: type) -> None:
    """A state holds a Queue, whatever subclass declares it: a subclass may have a constructor, but no methods."""
    reject_hooks(cls, known, dir(known), {"__init__"})
    for owner, name, member in _own_members(cls, known):
        if name not in HARMLESS and name != "__init__" and (callable(member) or hasattr(type(member), "__get__")):
            what = f"{owner.__name__}.{name} would be lost: a state holds a {known.__name__}, not a {cls.__name__}"
            raise ModelRejected.of(what, _place(owner, member), "write a method of the model")
