"""docs/verdict.md names every field of a verdict and every code of a caveat."""

from __future__ import annotations

import re

from places import ROOT

from asset.engine.outcome import Stop
from asset.verdict import (
    Change,
    Counterexample,
    Coverage,
    Memory,
    NeverReached,
    Product,
    Reason,
    Reduction,
    Seconds,
    Step,
    Stillness,
    Verdict,
    Violation,
    Waiting,
)

PAGE = (ROOT / "docs" / "verdict.md").read_text(encoding="utf-8")
NAMED = {part for code in re.findall(r"`([^`\n]+)`", PAGE) for part in re.findall(r"[a-z_-]+", code)}

IN_PYTHON_ONLY = {"model", "shown", "body", "writes", "reads", "sources", "span", "counts"}
"""Of parts of a verdict: what is there for reports."""


def test_every_field_is_named() -> None:
    kinds = (Verdict, Violation, Reason, Counterexample, Step, Change, Seconds, Memory, Reduction, Product, Coverage)
    fields = {name for kind in (*kinds, NeverReached, Stillness, Waiting) for name in kind.__slots__}
    assert fields - IN_PYTHON_ONLY <= NAMED


def test_every_caveat_is_named() -> None:
    codes = {stop.value for stop in Stop} - {Stop.COMPLETE.value, Stop.FINDING.value}
    for file in (ROOT / "src" / "asset").rglob("*.py"):
        codes |= set(re.findall(r'Caveat\(\s*"([a-z-]+)"', file.read_text(encoding="utf-8")))
    assert codes <= NAMED
