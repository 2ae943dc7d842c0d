"""Golden files: ASSET_REWRITE_GOLDEN=1 writes them anew; the difference is then read as any other change."""

from __future__ import annotations

import os

from places import GOLDEN


def assert_golden(name: str, text: str) -> None:
    """That the text is that of the file, given by its path below tests/golden."""
    path = GOLDEN / name
    if os.environ.get("ASSET_REWRITE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
