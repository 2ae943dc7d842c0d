"""Objects of the user's program that the text of a model names: constants, classes, functions, modules.

Their values are taken as they are while the model is compiled. A class that gives numbers or tuples another meaning is
rejected.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from types import FunctionType, NoneType

from asset.frontends.python.values import Static
from asset.ir.shapes import Shape, inner_shapes
from asset.model import Model, Record
from asset.model.hooks import MAKING, reject_enum_hooks, reject_hooks, reject_metaclass, reject_number_hooks
from asset.model.model import reject_patched
from asset.model.records import reject_record_hooks
from asset.model.views import View, reject_changed_type

_CONTAINERS = (tuple, frozenset, list, set, dict)
_IMMUTABLE = (int, str, tuple, range, frozenset, Enum, NoneType, FunctionType, type)


class Listed(tuple[object, ...]):
    """The items of a list that the text names, as they are now."""

    __slots__ = ()


class Constants:
    """What was looked at so far: a large table is named in many places."""

    def __init__(self) -> None:
        self._accepted: dict[int, tuple[object, object]] = {}

    def known(self, value: object) -> Static:
        """The object; raises ModelRejected if a class of the user's changes what can be done with it."""
        if id(value) not in self._accepted:
            _reject_changed(value)
            self._accepted[id(value)] = (value, _fixed(value))
        return Static(self._accepted[id(value)][1])


def _fixed(value: object) -> object:
    """A constant as it is now, with whatever is in it."""
    match value:
        case list():
            return Listed(map(_fixed, value))
        case set():
            return frozenset(value)
        case dict():
            return {key: _fixed(item) for key, item in value.items()}
        case tuple() if type(value) is tuple and any(isinstance(item, list | set | dict | tuple) for item in value):
            return tuple(map(_fixed, value))
        case _:
            return value


def in_some_order(elements: Iterable[object]) -> list[object]:
    """The elements of a set that is known now, always in the same order."""
    return sorted(elements, key=repr)


def is_immutable(value: object) -> bool:
    """Whether testing or comparing the object now gives what it would give whenever the model runs."""
    return isinstance(value, _IMMUTABLE)


def reject_changed_types(model: Model) -> None:
    """Raises ModelRejected if the model or a class of its state was changed after it was declared."""
    reject_patched(model)
    shapes: list[Shape] = [declared.shape for declared in model._variables.values()]
    while shapes:
        shape = shapes.pop()
        host = getattr(shape, "host", None)
        if host is not None:
            _reject_changed(host)
        shapes += inner_shapes(shape)


def _reject_changed(value: object) -> None:
    match value:
        case type():
            _reject_changed_class(value)
        case Enum():
            reject_enum_hooks(type(value))
        case int():
            reject_number_hooks(type(value))
        case str():
            reject_hooks(type(value), str, (), MAKING)
        case dict():
            if type(value) is not dict:
                reject_hooks(type(value), dict, (), MAKING)
            _reject_changed((*value.keys(), *value.values()))
        case list() | set():
            if type(value) not in (list, set):
                reject_hooks(type(value), list if isinstance(value, list) else set, (), MAKING)
            _reject_changed(tuple(value))
        case tuple() | frozenset():
            if type(value) not in (tuple, frozenset):
                reject_hooks(type(value), tuple if isinstance(value, tuple) else frozenset, (), MAKING)
            kinds = {type(part): part for part in value if not isinstance(part, _CONTAINERS)}
            for part in (*kinds.values(), *(part for part in value if isinstance(part, _CONTAINERS))):
                _reject_changed(part)


def _reject_changed_class(cls: type) -> None:
    reject_metaclass(cls)
    if issubclass(cls, Enum) and cls.__module__ != Enum.__module__:
        reject_enum_hooks(cls)
    elif issubclass(cls, BaseException):
        reject_hooks(cls, BaseException)
    elif issubclass(cls, Record) and cls is not Record:
        reject_record_hooks(cls)
    elif issubclass(cls, View):
        reject_changed_type(cls)
