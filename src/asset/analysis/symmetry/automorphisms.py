"""Generators of the automorphisms of a coloured graph, by igraph (BLISS).

Nothing can interrupt that search. A small graph is searched here; a larger one in a child process, which is ended if
its parent is interrupted or has no time left.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import time
from collections.abc import Sequence
from typing import Any

from asset import orphans
from asset.analysis.watch import OutOfTime, Watch

SMALL = 1_000
"""Vertices of a graph whose search is over before anybody notices."""

PATIENCE = 0.05
"""Seconds between two looks at the clock."""


class ColouredGraph:
    """Vertices are numbered as their colours are."""

    def __init__(self, colours: Sequence[int], edges: Sequence[tuple[int, int]], watch: Watch) -> None:
        self._colours = list(colours)
        self._edges = sorted(set(edges))
        self._watch = watch

    def generators(self) -> list[list[int]]:
        """What each generator makes of the vertices. Raises OutOfTime."""
        found: list[list[int]] = self._asked("automorphism_group")
        return found

    def order(self) -> int:
        """How many automorphisms there are. Raises OutOfTime."""
        return int(self._asked("count_automorphisms"))

    def _asked(self, question: str) -> Any:
        is_small = len(self._colours) <= SMALL or not hasattr(os, "fork")
        return self._searched(question) if is_small else self._searched_by_a_child(question)

    def _searched(self, question: str) -> Any:
        import igraph  # type: ignore[import-untyped]  # here, as it takes a while to load and few checks need it

        drawn = igraph.Graph(n=len(self._colours), edges=self._edges, directed=True)
        return getattr(drawn, question)(color=self._colours)

    def _searched_by_a_child(self, question: str) -> Any:
        import igraph  # noqa: F401  # the child inherits it

        reading, writing = os.pipe()
        lifeline = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            os.close(lifeline[1])
            self._answer(question, writing, lifeline[0])
        os.close(writing)
        os.close(lifeline[0])
        try:
            return pickle.loads(self._received(reading))
        finally:
            os.close(reading)
            os.close(lifeline[1])
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)

    def _answer(self, question: str, pipe: int, lifeline: int) -> None:
        """What the child does; it does not return."""
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent is asked, too, and ends it
            orphans.end_with_parent(lifeline)
            with os.fdopen(pipe, "wb") as out:
                out.write(pickle.dumps(self._searched(question)))
        finally:
            os._exit(0)

    def _received(self, pipe: int) -> bytes:
        """All that the child writes. Raises OutOfTime, also if it writes nothing, as there was no memory left."""
        data = bytearray()
        while True:
            begun = time.monotonic()
            ready, _, _ = select.select([pipe], [], [], PATIENCE)
            self._watch.charge(time.monotonic() - begun)
            self._watch.tick()
            if ready:
                part = os.read(pipe, 1 << 20)
                if not part and not data:
                    raise OutOfTime
                if not part:
                    return bytes(data)
                data += part
