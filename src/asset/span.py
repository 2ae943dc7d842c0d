"""Places in the user's source, carried by every IR node and every error."""

from __future__ import annotations

import linecache
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of source text: lines count from 1, columns from 1, the end is exclusive."""

    file: str
    line: int
    column: int = 1
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return self.in_notebook or f"{self.file}:{self.line}:{self.column}"

    @property
    def in_notebook(self) -> str:
        """`cell 6, line 9`; empty if the text is in a file."""
        ipython = sys.modules.get("IPython")
        compiler = getattr(ipython and ipython.get_ipython(), "compile", None)
        cell = getattr(compiler, "_filename_map", {}).get(self.file)
        return "" if cell is None else f"cell {cell}, line {self.line}"

    @property
    def source_line(self) -> str:
        """The first line of the span without its line end, or nothing if the file cannot be read."""
        return linecache.getline(self.file, self.line).rstrip("\n")

    @property
    def caret_width(self) -> int:
        """How many characters of the first line the span covers; at least one."""
        if self.end_line > self.line:
            return max(1, len(self.source_line.rstrip()) - self.column + 1)
        return max(1, self.end_column - self.column)


NOWHERE = Span("<asset>", 0)
