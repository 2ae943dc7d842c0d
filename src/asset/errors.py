"""What can be wrong with a model or a command line: one tree of exceptions, each with its places and remedies.

`AssetError` is for what must be corrected before anything can be explored. A model that goes wrong *while it runs*
(an index out of bounds, say) is not an exception of the tool but a finding: see `asset.ir.faults`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from asset.span import Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong, where, and what to do about it."""

    message: str
    span: Span | None = None
    remedy: str = ""
    kind: str = "error"

    def __str__(self) -> str:
        """`file:line:col: error: what`, the source line with a caret below, and the remedy."""
        what = f"{self.kind}: {self.message}"
        lines = [f"{self.span}: {what}" if self.span else what]
        if self.span and self.span.source_line:
            text = self.span.source_line
            margin = "".join(c if c == "\t" else " " for c in text[: self.span.column - 1])
            lines += [f"    {text}", f"    {margin}{'^' * self.span.caret_width}"]
        if self.remedy:
            lines.append(f"    {self.remedy}")
        return "\n".join(lines)


class AssetError(Exception):
    """Something that the user can correct; it prints as its diagnostics, all of them at once."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return "\n".join(str(d) for d in self.diagnostics)

    @classmethod
    def of(cls, message: str, span: Span | None = None, remedy: str = "") -> Self:
        return cls(Diagnostic(message, span, remedy))


class UsageError(AssetError):
    """The command line, an option or a parameter is at fault."""


class ModelRejected(AssetError):
    """The model's text is outside the language, or contradicts itself."""


class EngineUnavailable(AssetError):
    """An engine cannot run here, or cannot run this model."""


def described(error: BaseException) -> str:
    """An exception in words, as Python prints it: `ValueError: what`. It may be of the user's own making."""
    try:
        text = str(error)
    except Exception:
        text = "(it cannot be shown: its __str__ raises an exception)"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
