"""JSON with an indent, written quickly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def indented(value: Any, indent: str, margin: str) -> Iterator[str]:
    """What json.dumps writes with an indent; what has no further parts by its encoder in C, which has no indent.

    `margin` is the line end and the indent of the line that the value stands in.
    """
    inner = margin + indent
    if not isinstance(value, dict | list | tuple) or not value:
        yield json.dumps(value)
    elif _is_flat(value):
        text = json.dumps(value, separators=("," + inner, ": "))
        yield f"{text[0]}{inner}{text[1:-1]}{margin}{text[-1]}"
    elif isinstance(value, dict):
        for number, (key, item) in enumerate(value.items()):
            yield f"{',' if number else '{'}{inner}{json.dumps(key)}: "
            yield from indented(item, indent, inner)
        yield margin + "}"
    else:
        for number, item in enumerate(value):
            yield f"{',' if number else '['}{inner}"
            yield from indented(item, indent, inner)
        yield margin + "]"


def _is_flat(value: dict[str, Any] | list[Any] | tuple[Any, ...]) -> bool:
    kinds = set(map(type, value.values() if isinstance(value, dict) else value))
    return not any(issubclass(kind, dict | list | tuple) for kind in kinds)
