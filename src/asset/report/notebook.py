"""Reports in a notebook: the same lines as on a terminal, as HTML whose colours can be read on white and on black."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from asset.report import text
from asset.report.counterexample import alone
from asset.report.document import Line, Piece, Role
from asset.verdict import Counterexample, Verdict

WIDTH = 120

_STYLES = {
    Role.STRONG: "font-weight:bold",
    Role.FAINT: "opacity:.65",
    Role.NAME: "color:#1e88e5",
    Role.GOOD: "color:#2e8b57;font-weight:bold",
    Role.BAD: "color:#d9433a;font-weight:bold",
    Role.UNSURE: "color:#b8860b;font-weight:bold",
}


def verdict(shown: Verdict) -> str:
    """The whole report."""
    return html(text.report(shown, WIDTH))


def counterexample(shown: Counterexample) -> str:
    """The run, as a table."""
    return html(alone(shown, WIDTH))


def html(lines: Iterable[Line]) -> str:
    body = "\n".join("".join(map(_span, parts)).rstrip() for parts in lines)
    return f'<pre style="line-height:1.35;overflow:auto;white-space:pre">{body}</pre>'


def _span(piece: Piece) -> str:
    style = _STYLES.get(piece.role)
    content = escape(piece.text)
    return f'<span style="{style}">{content}</span>' if style and piece.text.strip() else content
