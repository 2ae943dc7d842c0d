"""Reports in a notebook: the same lines as on a terminal, as HTML whose colours can be read on white and on black."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from asset.report import text
from asset.report.counterexample import alone
from asset.report.document import Line, Piece, Role
from asset.verdict import Counterexample, Verdict

WIDTH = 120

# A font in which columns stay columns, wherever the notebook is shown or exported to.
_FONT = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_TEXT = f"line-height:1.35;overflow:auto;white-space:pre;{_FONT}"

_STYLES = {
    Role.STRONG: "font-weight:bold",
    Role.FAINT: "opacity:.65",
    Role.NAME: "color:#1e88e5",
    Role.GOOD: "color:#2e8b57;font-weight:bold",
    Role.BAD: "color:#d9433a;font-weight:bold",
    Role.UNSURE: "color:#b8860b;font-weight:bold",
}


def verdict(shown: Verdict) -> str:
    """The whole report and, if there is a run, the page to step through it."""
    report = html(text.report(shown, WIDTH))
    return report if shown.counterexample is None else f"<div>{report}{_stepper(shown)}</div>"


def _stepper(shown: Verdict) -> str:
    """The page of the verdict in a frame of its own, opened if the reader wants it."""
    frame = "width:100%;height:46rem;border:1px solid #8888;border-radius:6px"
    page = escape(shown.to_html())
    title = "Step through the counterexample"
    framed = f'<iframe title="{title}" style="{frame}" srcdoc="{page}"></iframe>'
    return f"<details><summary>{title}</summary>{framed}</details>"


def counterexample(shown: Counterexample) -> str:
    """The run, as a table."""
    return html(alone(shown, WIDTH))


def html(lines: Iterable[Line]) -> str:
    body = "\n".join("".join(map(_span, parts)).rstrip() for parts in lines)
    return f'<pre style="{_TEXT}">{body}</pre>'


def _span(piece: Piece) -> str:
    style = _STYLES.get(piece.role)
    content = escape(piece.text)
    return f'<span style="{style}">{content}</span>' if style and piece.text.strip() else content
