"""Symbols: values that can be compared and nothing else. Members of an Enum that is no IntEnum, and texts.

In a state a symbol is a number, as everything is. Different symbols have different numbers, and no number of a model is
as large, so that comparing numbers is comparing values, as in Python. The numbers of a class follow from its name, and
those of texts from the order in which they are first met: they are the same whenever a file is checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum
from typing import TypeGuard
from weakref import WeakKeyDictionary
from zlib import crc32

from asset.ir.types import FIRST_SYMBOL, FIRST_TEXT, EnumType

_MOST_MEMBERS = 1 << 16
_first_numbers: WeakKeyDictionary[type[Enum], int] = WeakKeyDictionary()
_texts: dict[str, int] = {}
_by_number: dict[int, str] = {}


def is_symbol(value: object) -> bool:
    """Whether the value is no number, but can be one in a state. The empty text is none: Python takes it for false."""
    return (isinstance(value, Enum) and not isinstance(value, int)) or (type(value) is str and value != "")


def number_of(value: object) -> int:
    """The number that stands for a symbol; an integer stands for itself."""
    match value:
        case int():
            return int(value)
        case Enum():
            return first_number(type(value)) + list(type(value)).index(value)
        case str():
            return number_texts((value,))[value]
        case _:
            raise TypeError(f"{value!r} is neither a number nor a symbol")


def first_number(cls: type[Enum]) -> int:
    """The number of the first member of a class; the others follow."""
    known = _first_numbers.get(cls)
    if known is None:
        taken = set(_first_numbers.values())
        known = FIRST_SYMBOL + crc32(f"{cls.__module__}.{cls.__qualname__}".encode()) * _MOST_MEMBERS
        while known in taken:
            known += _MOST_MEMBERS
        _first_numbers[cls] = known
    return known


def number_texts(texts: Iterable[str]) -> dict[str, int]:
    """The numbers of texts; those that have none yet are numbered in alphabetical order."""
    given = set(texts)
    for text in sorted(given - _texts.keys()):
        number = FIRST_TEXT + len(_texts)
        _texts[text] = number
        _by_number[number] = text
    return {text: _texts[text] for text in given}


def symbol_of(cls: type, number: int) -> object:
    """The symbol that a number stands for: a member of the class, or a text."""
    if issubclass(cls, Enum):
        return list(cls)[number - first_number(cls)]
    return _by_number[number]


def symbol_type(cls: type[Enum]) -> EnumType:
    """The members of an Enum, as values of a state."""
    return EnumType(cls.__name__, tuple((member.name, number_of(member)) for member in cls))


def text_type(texts: Iterable[str]) -> EnumType:
    """One of these texts, as a value of a state."""
    numbers = number_texts(texts)
    return EnumType("text", tuple(sorted(numbers.items(), key=lambda pair: pair[1])))


def is_enumeration(cls: object) -> TypeGuard[type[Enum]]:
    """Whether its members are values of the language."""
    return is_symbolic_class(cls) or (isinstance(cls, type) and issubclass(cls, IntEnum))


def is_symbolic_class(cls: object) -> bool:
    """Whether its members are symbols."""
    return isinstance(cls, type) and issubclass(cls, Enum) and not issubclass(cls, IntEnum) and bool(len(cls))
