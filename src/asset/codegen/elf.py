"""Brings an object file into memory without LLVM, which takes longer to start than most models take to check.

Generated code refers to nothing outside itself, and only by distances, so that linking it is a matter of placing its
sections one after the other and filling in those distances.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")

_X86_64 = 62
_MACHINES = {"x86_64": _X86_64, "amd64": _X86_64}
_SYMTAB, _RELA, _NOBITS = 2, 4, 8
_ALLOC = 2
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


def link(data: bytes, machine: str) -> LinkedImage:
    """The object as an image for the machine; Unsupported if it is no such object, or needs more than this."""
    sections = list(_sections(data, machine))
    placed, code = _place(data, sections)
    symbols = [symbol for s in sections if s.kind == _SYMTAB for symbol in _symbols(data, s, sections)]
    for section in sections:
        if section.kind == _RELA and section.info in placed:
            _relocate(code, data, section, placed, symbols)
    return LinkedImage(
        bytes(code), {s.name: placed[s.section] + s.value for s in symbols if s.name and s.section in placed}
    )


def _sections(data: bytes, machine: str) -> Iterator[_Section]:
    ident, _, target, _, _, _, start, _, _, _, _, size, count, _ = _HEADER.unpack_from(data)
    if not ident.startswith(b"\x7fELF\x02\x01") or _MACHINES.get(machine) != target or size != _SECTION.size:
        raise Unsupported("not an object for this machine")
    for number in range(count):
        _, kind, flags, _, offset, length, to, info, alignment, _ = _SECTION.unpack_from(data, start + number * size)
        yield _Section(kind, flags, offset, length, to, info, max(1, alignment))


def _place(data: bytes, sections: list[_Section]) -> tuple[dict[int, int], bytearray]:
    """Where each section that is needed at run time begins, and all of them together."""
    placed: dict[int, int] = {}
    code = bytearray()
    for number, section in enumerate(sections):
        if section.flags & _ALLOC and section.size:
            code += bytes(-len(code) % section.alignment)
            placed[number] = len(code)
            filled = section.kind != _NOBITS
            code += data[section.offset : section.offset + section.size] if filled else bytes(section.size)
    return placed, code


def _symbols(data: bytes, table: _Section, sections: list[_Section]) -> Iterator[_Symbol]:
    names = sections[table.link].offset
    for at in range(table.offset, table.offset + table.size, _SYMBOL.size):
        name, _, _, section, value, _ = _SYMBOL.unpack_from(data, at)
        begin = names + name
        yield _Symbol(data[begin : data.index(b"\0", begin)].decode(), section, value)


def _relocate(code: bytearray, data: bytes, section: _Section, placed: dict[int, int], symbols: list[_Symbol]) -> None:
    """Fills in the distances that a section of relocations lists."""
    for at in range(section.offset, section.offset + section.size, _RELOCATION.size):
        offset, info, addend = _RELOCATION.unpack_from(data, at)
        symbol = symbols[info >> 32]
        if info & 0xFFFFFFFF not in _DISTANCES or symbol.section not in placed:
            raise Unsupported(f"relocation {info & 0xFFFFFFFF} to {symbol.name}")
        place = placed[section.info] + offset
        struct.pack_into("<i", code, place, placed[symbol.section] + symbol.value + addend - place)
