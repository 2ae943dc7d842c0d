"""The types of state variables. Every value is an integer at run time; a type says which, and how to show it."""

from __future__ import annotations

from math import gcd

from asset.deferred import dataclass


@dataclass(frozen=True, slots=True)
class BoolType:
    lo = 0
    hi = 1

    def __contains__(self, value: int) -> bool:
        return value in (0, 1)

    def show(self, value: int) -> str:
        return "True" if value else "False"

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class IntType:
    lo: int
    hi: int

    def __contains__(self, value: int) -> bool:
        return self.lo <= value <= self.hi

    def show(self, value: int) -> str:
        return str(value)

    def __str__(self) -> str:
        return f"{self.lo}..{self.hi}"


FIRST_SYMBOL = 1 << 62
"""Numbers from here on stand for symbols: values that are compared and nothing else. No two symbols have the same."""
FIRST_TEXT = FIRST_SYMBOL + (1 << 60)
"""Of these, the numbers from here on stand for texts."""


@dataclass(frozen=True, slots=True)
class RefType(IntType):
    """The number of an object of a heap, or 0 for None."""

    def show(self, value: int) -> str:
        return f"#{value}" if value else "None"


@dataclass(frozen=True, slots=True)
class EnumType:
    """An enumeration, of numbers that have names or of symbols; its values need not be consecutive."""

    name: str
    members: tuple[tuple[str, int], ...]
    parts: bool = False
    """Whether the values name parts that are all alike, so that they may change their names."""

    @property
    def lo(self) -> int:
        return min(value for _, value in self.members)

    @property
    def hi(self) -> int:
        return max(value for _, value in self.members)

    def __contains__(self, value: int) -> bool:
        return value in [v for _, v in self.members]

    def show(self, value: int) -> str:
        return next((name for name, v in self.members if v == value), str(value))

    @property
    def is_symbolic(self) -> bool:
        """Whether its members are no numbers in the language of the model."""
        return self.lo >= FIRST_SYMBOL

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class FractionType(EnumType):
    """Numbers that are counted in so many parts of one: a value is the count."""

    per: int = 1

    def show(self, value: int) -> str:
        return next((name for name, v in self.members if v == value), None) or decimal(value, self.per)


def decimal(count: int, per: int) -> str:
    """A number of parts of one: `2.5`, or `1/3` if that is no decimal fraction."""
    common = gcd(count, per)
    count, per = count // common, per // common
    places = next((k for k in range(20) if 10**k % per == 0), None)
    if not places:
        return str(count) if per == 1 else f"{count}/{per}"
    digits = str(abs(count) * 10**places // per).rjust(places + 1, "0")
    return f"{'-' if count < 0 else ''}{digits[:-places]}.{digits[-places:]}"


ScalarType = BoolType | IntType | EnumType


def may_name(scalar: ScalarType) -> bool:
    """Whether values of the type may name parts of a model. Those of an IntEnum have a meaning of their own."""
    return isinstance(scalar, IntType) or (isinstance(scalar, EnumType) and scalar.parts)


def bit_width(scalar: ScalarType) -> int:
    """Bits needed to store any value of the type, as its distance from `lo`; a type of one value needs none."""
    return (scalar.hi - scalar.lo).bit_length()
