"""The variables of its own that a compiled model may change: read from the symbols of the library."""

from __future__ import annotations

import struct
from collections.abc import Iterator

UNKNOWN = ("(unknown)",)
"""Of a library whose symbols we cannot read."""

_SYMTAB, _WRITE, _OBJECT, _TLS = 2, 1, 1, 6
_OURS = ("_ZN5asset", "_ZZN5asset", "_ZGV", "_ZSt", "_ZNSt", "_ZGRN5asset", "DW.ref.")
_SYSTEM = {"completed.0", "__dso_handle", "__TMC_END__", "_DYNAMIC", "_GLOBAL_OFFSET_TABLE_", "_edata", "_end"}


def own_variables(code: bytes) -> tuple[str, ...]:
    """Names of the variables in writable memory that are neither ours nor the system's."""
    if code[:6] != b"\x7fELF\x02\x01":
        return UNKNOWN
    sections = list(_sections(code))
    if all(section[1] != _SYMTAB for section in sections):  # stripped
        return UNKNOWN
    names = _string_table(code, sections, struct.unpack_from("<H", code, 62)[0])
    writable = {
        number
        for number, section in enumerate(sections)
        if section[2] & _WRITE and _text(names, section[0]).startswith((".data", ".bss", ".tdata", ".tbss"))
        if not _text(names, section[0]).startswith(".data.rel.ro")
    }
    found = {
        name for name, kind, section in _symbols(code, sections) if section in writable and kind in (_OBJECT, _TLS)
    }
    return tuple(sorted(_readable(name) for name in found if name not in _SYSTEM and not name.startswith(_OURS)))


def _sections(code: bytes) -> Iterator[tuple[int, ...]]:
    """Name, type, flags, address, offset, size, link of each section."""
    (start,) = struct.unpack_from("<Q", code, 40)
    size, count = struct.unpack_from("<HH", code, 58)
    return (struct.unpack_from("<IIQQQQI", code, start + i * size) for i in range(count))


def _string_table(code: bytes, sections: list[tuple[int, ...]], number: int) -> bytes:
    offset, size = sections[number][4:6]
    return code[offset : offset + size]


def _symbols(code: bytes, sections: list[tuple[int, ...]]) -> Iterator[tuple[str, int, int]]:
    """Name, kind and section of each symbol."""
    for section in sections:
        if section[1] == _SYMTAB:
            names = _string_table(code, sections, section[6])
            for offset in range(section[4], section[4] + section[5], 24):
                name, info, _, where = struct.unpack_from("<IBBH", code, offset)
                yield _text(names, name), info & 15, where


def _text(table: bytes, offset: int) -> str:
    return table[offset : table.index(b"\0", offset)].decode("utf-8", "replace")


def _readable(symbol: str) -> str:
    """`count` of `_ZL5count`, `count` of `_ZZ14check_deadlockvE5count`: the last name in it."""
    if not symbol.startswith("_Z"):
        return symbol.split(".")[0]
    last, at = symbol, 2
    while at < len(symbol):
        digits = ""
        while at < len(symbol) and symbol[at].isdigit():
            digits, at = digits + symbol[at], at + 1
        if digits and int(digits) <= len(symbol) - at:
            last, at = symbol[at : at + int(digits)], at + int(digits)
        else:
            at += 1
    return last
