"""What machine code depends on, in full: the program, the generator itself, LLVM and the processor."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from asset.analysis.values.interval import Interval
from asset.ir.program import Program
from asset.processor import processor

if TYPE_CHECKING:  # few programs need it
    from asset.ir.derived import AskedFact

_PACKAGE = Path(__file__).resolve().parent.parent
_GENERATOR = ("codegen", "analysis", "ir")

_WITHOUT_CODE = ("span", "name", "initial", "process", "choices", "owner")
"""Fields that no code is made from."""


def description(
    program: Program, ranges: tuple[Interval, ...], facts: tuple[AskedFact, ...] | None = None, symmetry: object = None
) -> bytes:
    """Equal for programs that get the same machine code, if runs begin with these values of each variable, with these
    facts and this outline of a group of symmetries, on this machine; else different."""
    parts = (
        tuple((v.type, v.dims) for v in program.variables),
        program.functions,
        program.families,
        program.predicates,
        program.step_predicates,
        program.representative,
        tuple(ranges),
        facts,
        symmetry,
    )
    texts: list[str] = []
    _describe(parts, texts)
    return f"{_environment()}\n{''.join(texts)}".encode()


def _describe(value: object, texts: list[str]) -> None:
    """Adds the value as text, without what no code is made from: initial values, places in the source, names,
    messages."""
    if isinstance(value, Enum):
        texts.append(f"{value.name},")
    elif isinstance(value, str):
        texts.append("'")
    elif isinstance(value, tuple):
        texts.append("(")
        for part in value:
            _describe(part, texts)
        texts.append(")")
    elif is_dataclass(value):
        kind: Any = type(value)
        texts.append(f"{kind.__name__}(")
        for name in _fields(kind):
            _describe(getattr(value, name), texts)
        texts.append(")")
    else:
        texts.append(f"{value},")


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name not in _WITHOUT_CODE)


@cache
def _environment() -> str:
    """Everything but the program."""
    import llvmlite  # type: ignore[import-untyped]

    sources = [source for folder in _GENERATOR for source in sorted((_PACKAGE / folder).rglob("*.py"))]
    generator = " ".join(f"{source.stem} {crc32(source.read_bytes()):08x}" for source in sources)
    return f"{generator} {llvmlite.__version__} {sys.platform} {processor()}"
