"""The texts of the files that a model is written in."""

from __future__ import annotations

import linecache
from collections.abc import Iterable

from asset.ir.program import Program
from asset.span import Span


def texts(spans: Iterable[Span]) -> dict[str, str]:
    """The text of each file that a span points to, as far as it can be read."""
    found: dict[str, str] = {}
    for span in spans:
        if span.file not in found and (lines := linecache.getlines(span.file)):
            found[span.file] = "".join(lines)
    return found


def texts_of(program: Program) -> dict[str, str]:
    """The files that its transitions are in."""
    return texts(family.span for family in program.families)
