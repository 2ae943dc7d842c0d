"""The verdict as one JSON object, for scripts."""

from __future__ import annotations

from asset.verdict import Verdict


def render(verdict: Verdict) -> str:
    return verdict.to_json() + "\n"
