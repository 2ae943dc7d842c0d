"""What is wrong with a model or a command line, in colours: the same text as that of the exception."""

from __future__ import annotations

from asset.errors import AssetError, Diagnostic
from asset.report.document import Line, Piece, Role, line
from asset.report.table import leading

_ROLES = {"error": Role.BAD, "warning": Role.UNSURE, "note": Role.NAME}


def lines(error: AssetError) -> list[Line]:
    """The diagnostics of the error, one below the other."""
    return [each for diagnostic in error.diagnostics for each in told(diagnostic)]


def told(diagnostic: Diagnostic) -> list[Line]:
    """The kind and the caret are seen first, then the message; what is around it stays plain."""
    role = _ROLES.get(diagnostic.kind, Role.STRONG)
    head, *rest = str(diagnostic).split("\n")
    before, kind, message = head.partition(f"{diagnostic.kind}: ")
    place = [Piece(before, Role.STRONG, leading(diagnostic.span) if diagnostic.span else "")] if before else []
    said = line(*place, Piece(kind, role), Piece(message, Role.STRONG))
    return [said] + [line(Piece(text, role)) if text.strip().strip("^") == "" else line(text) for text in rest]
