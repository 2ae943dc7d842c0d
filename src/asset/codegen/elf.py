"""Brings object files into memory without LLVM, which takes longer to start than most models take to check.

Generated code refers to nothing outside itself, and only by distances, so that linking it is a matter of placing all
sections one after the other and filling in those distances.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")

_X86_64 = 62
_MACHINES = {"x86_64": _X86_64, "amd64": _X86_64}
_SYMTAB, _RELA, _NOBITS = 2, 4, 8
_ALLOC = 2
_UNDEFINED = 0
_DISTANCES = (2, 4)  # R_X86_64_PC32 and R_X86_64_PLT32: the distance to a symbol in 32 bits


class Unsupported(Exception):
    """The object has something that only LLVM's own loader understands."""


class LinkedImage(NamedTuple):
    """Code and constants, to be placed at any address that is a multiple of 4096; where each symbol is in it."""

    code: bytes
    symbols: dict[str, int]


class _Section(NamedTuple):
    kind: int
    flags: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int


class _Symbol(NamedTuple):
    name: str
    section: int
    value: int


class _Object(NamedTuple):
    """An object file, and where each of its sections that are needed at run time begins in the image."""

    data: bytes
    sections: list[_Section]
    symbols: list[_Symbol]
    placed: dict[int, int]

    def address(self, symbol: _Symbol) -> int | None:
        """Where the symbol is in the image; None if it is not in this object."""
        begin = self.placed.get(symbol.section)
        return None if begin is None else begin + symbol.value


def link(files: Sequence[bytes], machine: str) -> LinkedImage:
    """The objects as one image for the machine; Unsupported if they are no such objects, or need more than this."""
    code = bytearray()
    objects = [_read(data, machine, code) for data in files]
    found = {
        symbol.name: address
        for each in objects
        for symbol in each.symbols
        if symbol.name and (address := each.address(symbol)) is not None
    }
    for each in objects:
        for section in each.sections:
            if section.kind == _RELA and section.info in each.placed:
                _relocate(code, each, section, found)
    return LinkedImage(bytes(code), found)


def _read(data: bytes, machine: str, code: bytearray) -> _Object:
    """The object, whose sections are added to the code."""
    sections = list(_sections(data, machine))
    symbols = [symbol for s in sections if s.kind == _SYMTAB for symbol in _symbols(data, s, sections)]
    return _Object(data, sections, symbols, _place(data, sections, code))


def _sections(data: bytes, machine: str) -> Iterator[_Section]:
    ident, _, target, _, _, _, start, _, _, _, _, size, count, _ = _HEADER.unpack_from(data)
    if not ident.startswith(b"\x7fELF\x02\x01") or _MACHINES.get(machine) != target or size != _SECTION.size:
        raise Unsupported("not an object for this machine")
    for number in range(count):
        _, kind, flags, _, offset, length, to, info, alignment, _ = _SECTION.unpack_from(data, start + number * size)
        yield _Section(kind, flags, offset, length, to, info, max(1, alignment))


def _place(data: bytes, sections: list[_Section], code: bytearray) -> dict[int, int]:
    """Adds each section that is needed at run time to the code; where they begin there."""
    placed: dict[int, int] = {}
    for number, section in enumerate(sections):
        if section.flags & _ALLOC and section.size:
            code += bytes(-len(code) % section.alignment)
            placed[number] = len(code)
            filled = section.kind != _NOBITS
            code += data[section.offset : section.offset + section.size] if filled else bytes(section.size)
    return placed


def _symbols(data: bytes, table: _Section, sections: list[_Section]) -> Iterator[_Symbol]:
    names = sections[table.link].offset
    for at in range(table.offset, table.offset + table.size, _SYMBOL.size):
        name, _, _, section, value, _ = _SYMBOL.unpack_from(data, at)
        begin = names + name
        yield _Symbol(data[begin : data.index(b"\0", begin)].decode(), section, value)


def _relocate(code: bytearray, within: _Object, section: _Section, found: Mapping[str, int]) -> None:
    """Fills in the distances that a section of relocations lists: to symbols of the object itself, or of others."""
    for at in range(section.offset, section.offset + section.size, _RELOCATION.size):
        offset, info, addend = _RELOCATION.unpack_from(within.data, at)
        symbol = within.symbols[info >> 32]
        target = within.address(symbol)
        if target is None and symbol.section == _UNDEFINED:
            target = found.get(symbol.name)
        if info & 0xFFFFFFFF not in _DISTANCES or target is None:
            raise Unsupported(f"relocation {info & 0xFFFFFFFF} to {symbol.name}")
        place = within.placed[section.info] + offset
        struct.pack_into("<i", code, place, target + addend - place)
