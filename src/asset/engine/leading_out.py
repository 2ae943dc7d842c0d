"""Nothing is left out for ever: conditions S and L of `asset.checks.soundness` by going back along edges. It needs no
strong components, so the ranks of a cluster can do it together (native/backward.h); what it widens is more than
`asset.engine.ignoring` and `asset.engine.postponing` do, as these look closer.

*S.* A state is marked if everything is fired there that matters, or a key step leads to a marked state. If all are
marked, whatever is left out is fired sooner or later (Lemma (marks) there). *L.* A state is marked if its set has all
visible commands, or if all of its steps lead to marked states. If all are marked, there is no cycle of others.

If some state is not marked, everything is fired in those of the last level that has one. Whatever is new is explored,
and marks are found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from asset.engine.search import Search

Marks = set[int]


def leave_nothing_out(search: Search, ignores_nothing: bool) -> None:
    """Goes on with a search that is over until its sets leave no visible command out for ever and, if it is asked for,
    ignore nothing."""
    found: list[Callable[[Search], Marks]] = [_settled, _cleared] if ignores_nothing else [_cleared]
    while unmarked := next(filter(None, (_unmarked(search, marks(search)) for marks in found)), None):
        search.widen([(number, None) for number in unmarked])


def _unmarked(search: Search, marked: Marks) -> list[int]:
    """Those of the last level that has such."""
    ends = list(accumulate(search.levels))
    for begin, end in reversed(list(zip([0, *ends], ends, strict=False))):
        if left := [number for number in range(begin, end) if number not in marked]:
            return left
    return []


def _settled(search: Search) -> Marks:
    """The states from which key steps lead to one where everything is fired."""
    states = range(len(search.store))
    steps = [{target for _, target in search.key_steps(number)} for number in states]
    return _reached(steps, filter(lambda number: _fires_all(search, number), states), lambda number: 1)


def _cleared(search: Search) -> Marks:
    """The states from which no run stays for ever where visible commands are left out."""
    states = range(len(search.store))
    steps = [{target for _, target in edges} for edges in search.store.edges]
    return _reached(steps, (number for number in states if not _postpones(search, number)), lambda n: len(steps[n]))


def _reached(steps: Sequence[set[int]], marked: Iterable[int], needed: Callable[[int], int]) -> Marks:
    """The marked states, and those of which so many steps lead to states that are reached."""
    sources: list[list[int]] = [[] for _ in steps]
    for source, targets in enumerate(steps):
        for target in targets:
            sources[target].append(source)
    lacking = [needed(number) for number in range(len(steps))]
    reached = set(marked)
    for number in (queue := list(reached)):
        for source in sources[number]:
            lacking[source] -= 1
            if source not in reached and lacking[source] == 0:
                reached.add(source)
                queue.append(source)
    return reached


def _fires_all(search: Search, number: int) -> bool:
    fired = {command for command, _ in search.store.edges[number]}
    return all(command in fired for command in search.enabled(number) if search.source.matters(command))


def _postpones(search: Search, number: int) -> bool:
    fired = frozenset(command for command, _ in search.store.edges[number])
    return search.left_visible(number, fired) is not None
