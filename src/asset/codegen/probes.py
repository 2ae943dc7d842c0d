"""What generated code writes besides states, so that it can be asked what it did."""

from __future__ import annotations

from typing import NamedTuple


class Probes(NamedTuple):
    """Memory that the code writes to besides states, by address; 0 if it does not. `marks` is a byte for each mark of
    the program, `counts` two words for each command: how often it was tried, and how often it fired."""

    marks: int = 0
    counts: int = 0


NO_PROBES = Probes()


def family_entry(number: int) -> str:
    """The name of the function that fires the commands of a family alone, if commands are counted."""
    return f"family{number}"
