"""The types of Promela: their values, and what becomes of a value that does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChannelForm:
    """What a channel is made like: how many messages it holds, and the types of their fields."""

    capacity: int
    fields: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Basic:
    """A number of so many bits. `kind` is the word of the declaration; `mtype` is the name of the set of constants."""

    kind: str
    bits: int
    signed: bool = False
    mtype: str | None = None

    @property
    def lo(self) -> int:
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def hi(self) -> int:
        return (1 << self.bits - self.signed) - 1

    def wrapped(self, value: int) -> int:
        """What a variable of the type has after the value was assigned to it."""
        return (value - self.lo) % (1 << self.bits) + self.lo

    def __str__(self) -> str:
        if self.kind == "unsigned":
            return f"unsigned : {self.bits}"
        return f"mtype:{self.mtype}" if self.mtype not in (None, "mtype") else self.kind


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a structure: an array of `length`, or one value."""

    name: str
    type: Type
    length: int | None
    initial: tuple[int, ...] = (0,)
    """The first values of its elements; the last of them is that of all further ones."""
    channel: ChannelForm | None = None
    """If it makes a channel, or one for each of its elements."""


@dataclass(frozen=True, slots=True)
class Structure:
    name: str
    members: tuple[Member, ...]

    def member(self, name: str) -> Member | None:
        return next((m for m in self.members if m.name == name), None)

    def __str__(self) -> str:
        return self.name


Type = Basic | Structure

BIT, BOOL, BYTE, PID = Basic("bit", 1), Basic("bool", 1), Basic("byte", 8), Basic("pid", 8)
SHORT, INT, CHAN = Basic("short", 16, True), Basic("int", 32, True), Basic("chan", 8)

WORDS = {each.kind: each for each in (BIT, BOOL, BYTE, PID, SHORT, INT, CHAN)}


@dataclass(frozen=True, slots=True)
class Leaf:
    """A basic part of a type: its path (`.a.b`), and the lengths of the arrays around it, outermost first."""

    path: str
    type: Basic
    dims: tuple[int, ...]
    initial: tuple[int, ...] = (0,)
    """The first values of all its cells."""
    channel: ChannelForm | None = None
    """If its cells are channels that are made with them."""


def leaves(
    type: Type, length: int | None = None, initial: tuple[int, ...] = (0,), channel: ChannelForm | None = None
) -> tuple[Leaf, ...]:
    """The basic parts, in the order of declaration."""
    around = () if length is None else (length,)
    if isinstance(type, Basic):
        return (Leaf("", type, around, extended(initial, length or 1), channel),)
    return tuple(
        Leaf(f".{m.name}{leaf.path}", leaf.type, (*around, *leaf.dims), leaf.initial * (length or 1), leaf.channel)
        for m in type.members
        for leaf in leaves(m.type, m.length, m.initial, m.channel)
    )


def extended(values: tuple[int, ...], length: int) -> tuple[int, ...]:
    """The first values of an array: the last that is given is that of all further elements."""
    return (*values, *[values[-1]] * length)[:length]


Path = tuple[tuple[str, int | None], ...]
"""The names of fields that lead to a part of a structure, each with its index if it is an array."""


def scalars(type: Type) -> Iterator[tuple[Path, Basic]]:
    """Every single number in a type, in the order in which messages carry them."""
    if isinstance(type, Basic):
        yield (), type
        return
    for member in type.members:
        for index in (None,) if member.length is None else range(member.length):
            for path, found in scalars(member.type):
                yield ((member.name, index), *path), found
