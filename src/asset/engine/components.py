"""Strong components of a directed graph that is given by its successor function (Tarjan's algorithm)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def strong_components(roots: Iterable[int], successors: Callable[[int], Iterable[int]]) -> Iterator[list[int]]:
    """The strong components of what can be reached from the roots, each after those that it leads to.

    Roots and successors are taken in the order given. The members of a component come in the order in which they were
    entered. It is lazy: no successor is asked for before it is needed to complete the component that is asked for.
    """
    entered: dict[int, int] = {}  # vertex: its number, in the order of entering
    low: dict[int, int] = {}  # vertex: the least number on the stack that it is known to lead to
    position: dict[int, int] = {}  # vertex on the stack: where
    stack: list[int] = []
    for root in roots:
        calls: list[tuple[int, Iterator[int]]] = []
        pending: int | None = None if root in entered else root
        while pending is not None or calls:
            if pending is not None:
                entered[pending] = low[pending] = len(entered)
                position[pending] = len(stack)
                stack.append(pending)
                calls.append((pending, iter(successors(pending))))
            vertex, rest = calls[-1]
            pending = _next_new(vertex, rest, entered, low, position)
            if pending is not None:
                continue
            calls.pop()
            if calls:
                low[calls[-1][0]] = min(low[calls[-1][0]], low[vertex])
            if low[vertex] == entered[vertex]:
                component = stack[position[vertex] :]
                del stack[position[vertex] :]
                for member in component:
                    del position[member]
                yield component


def _next_new(
    vertex: int, rest: Iterator[int], entered: dict[int, int], low: dict[int, int], position: dict[int, int]
) -> int | None:
    """The next successor that was not entered yet, if any; those that are on the stack lower the vertex."""
    for target in rest:
        if target not in entered:
            return target
        if target in position:
            low[vertex] = min(low[vertex], entered[target])
    return None
