"""How states are shared among ranks: by parities of bits of a state that few steps change, so that few states are sent
(native/locality.h). That never changes an answer."""

from __future__ import annotations

import time
from collections.abc import Sequence

from asset.engine import native
from asset.engine.native import Code, FlatOptions

_ENOUGH = 1 << 16  # states
_SECONDS = 0.3
_BATCHES = 64  # that are expanded before one looks at the clock

_LOPSIDED = 1.2
_MANY = 1 << 22  # states: with fewer, it does not matter how they are shared, and shares become more even


def parities(code: Code, asked: FlatOptions, ranks: int) -> list[int]:
    """Their masks, as the first levels suggest them, which are explored here; none if all bits are to be hashed."""
    if ranks == 1:
        return []
    end = time.monotonic() + _SECONDS
    try:
        alone = native.rank(code, asked, native.Place(keep=True))
        alone.start()
        while alone.end_level() and alone.states < _ENOUGH and time.monotonic() < end:
            while alone.expand(_BATCHES) and alone.states < _ENOUGH and time.monotonic() < end:
                pass
        return alone.parities(ranks)
    except MemoryError:
        return []


def is_lopsided(states: Sequence[int]) -> bool:
    """Whether a rank has so many of the states that they had better be shared in another way."""
    return sum(states) >= _MANY and max(states) * len(states) > _LOPSIDED * sum(states)
