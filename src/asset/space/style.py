"""How families are told apart: each by its colour and, for whoever sees none, by the pattern of its line."""

from __future__ import annotations

from dataclasses import dataclass

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart, dark enough for white paper.
_COLOURS = ("#0072b2", "#b35900", "#007a5a", "#a8367d", "#6b6b00", "#2f7ea8", "#8a3b12")
_PATTERNS = ("", "7 4", "2 3", "9 3 2 3", "14 4")
_WORDS = ("whole line", "dashes", "dots", "dash and dot", "long dashes")
_DOT = ("solid", "dashed", "dotted", "dashed,bold", "bold")


@dataclass(frozen=True, slots=True)
class Stroke:
    colour: str
    pattern: str
    """As the stroke-dasharray of SVG; empty for a whole line."""
    words: str
    dot: str
    """As the style of Graphviz."""


def stroke(family: int) -> Stroke:
    """Of the family of that number; the first 35 have each a combination of their own."""
    at = family % len(_PATTERNS)
    return Stroke(_COLOURS[family % len(_COLOURS)], _PATTERNS[at], _WORDS[at], _DOT[at])
