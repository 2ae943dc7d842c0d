"""How the ranks of a cluster are to be had. A module of its own, as every check loads it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wanted:
    """How ranks are to be had. MPI itself knows how many there are; `address` is that of a cluster of Ray."""

    kind: str
    ranks: int | None = None
    address: str | None = None
