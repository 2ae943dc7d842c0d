"""What the pages with runs are made of: their looks, their scripts, the text of the model with line numbers."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from asset.report.highlighting import highlighted
from asset.report.table import shown
from asset.verdict import Value

_PAGE = Path(__file__).parent / "page"


def part(*names: str) -> str:
    """The texts of these files, one after the other."""
    return "\n".join((_PAGE / name).read_text(encoding="utf-8") for name in names)


def source_box(number: int, file: str, text: str, kinds: Mapping[int, str]) -> str:
    """The text of the file of that number, each line with a name of its own; `kinds` says how lines are marked."""
    name = escape(Path(file).name)
    lines = []
    for line, content in enumerate(highlighted(file, text), start=1):
        kind = f' class="{kinds[line]}"' if line in kinds else ""
        lines.append(f'<div id="f{number}-{line}"{kind}><span class="gutter">{line}</span>{content}</div>')
    label = f'role="group" aria-label="Source of {name}"'
    box = f'<div class="source" tabindex="0" {label}>{"".join(lines)}</div>'
    return f'<div class="card" aria-label="Source {name}"><h2>{name}</h2>{box}</div>'


def texts(value: Value) -> Any:
    """A value by the texts of its elements."""
    return [texts(item) for item in value] if type(value) is list else shown(value)
