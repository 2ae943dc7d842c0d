"""Whether a fair run is accepted, without strong components: by trimming. So the ranks of a cluster can decide it, each
of which has a part of the graph (native/trimming.h); one machine has strong components (`asset.engine.temporal`).

Vertices of the product are taken away that cannot be on an accepted cycle (One Way to Catch Them Young; Kesten, Pnueli
and Raviv for strong fairness): those without a step to one that is left; those from which no step with a wanted mark
can be reached through what is left; and those in which a command of a strong fairness is enabled, if none that fires
one can be reached so. This is repeated until nothing changes.

*Nothing is left if and only if no fair run is accepted.* An accepted component, with all wanted marks and those of the
strong fairness that is enabled in it, is never touched: from each of its vertices all of these are reached inside.
Conversely let something be left, and take a strong component of it that no step leaves for another vertex that is left.
Each of its vertices has a step, which stays in it. Each wanted mark is reached, so it is in the component; and so is
one of each strong fairness that is enabled in one of its vertices. So there is a fair run in it that is accepted. []

What is left also has vertices that lead to such a component. That a run comes to one is seen by going back once more,
from what is left through the whole product to where runs begin.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from asset.engine.temporal import Mark, ReadProduct

Vertices = set[int]


def left_of(product: ReadProduct, among: Vertices) -> Vertices:
    """Of these vertices, those that are left; not empty if and only if there is a fair run in them that is accepted."""
    strong = product.demanded(among)
    while True:
        before = len(among)
        among = _with_steps(product, among)
        for mark in product.wanted:
            among = _leading_to(product, among, mark)
        for mark in strong:
            reaching = _leading_to(product, among, mark)
            among = {vertex for vertex in among if vertex in reaching or mark not in product.demands(vertex)}
        if len(among) == before:
            return among


def reaching(product: ReadProduct, targets: Vertices) -> Vertices:
    """The vertices of the product from which some of these can be reached."""
    return _backwards(product, range(len(product.vertices)), targets)


def _with_steps(product: ReadProduct, among: Vertices) -> Vertices:
    """Those from which a run can stay among them: others are taken away one after the other."""
    left = set(among)
    sources = _sources(product, left)
    counts = {vertex: sum(edge.target in left for edge in product.edges[vertex]) for vertex in left}
    gone = [vertex for vertex in left if not counts[vertex]]
    for vertex in gone:  # grows
        left.discard(vertex)
        for source in sources.get(vertex, ()):
            counts[source] -= 1
            if not counts[source]:
                gone.append(source)
    return left


def _leading_to(product: ReadProduct, among: Vertices, mark: Mark) -> Vertices:
    """Those from which a step with the mark, to one of them, can be reached through them."""

    def has(vertex: int) -> bool:
        return any(mark in edge.marks and edge.target in among for edge in product.edges[vertex])

    return _backwards(product, among, filter(has, among))


def _backwards(product: ReadProduct, among: Collection[int], ends: Iterable[int]) -> Vertices:
    sources = _sources(product, among)
    reached = set(ends)
    for vertex in (queue := list(reached)):  # grows
        for source in sources.get(vertex, ()):
            if source not in reached:
                reached.add(source)
                queue.append(source)
    return reached


def _sources(product: ReadProduct, among: Collection[int]) -> dict[int, list[int]]:
    """The vertices among these that lead to each, as often as there are steps."""
    sources: dict[int, list[int]] = {}
    for vertex in among:
        for edge in product.edges[vertex]:
            sources.setdefault(edge.target, []).append(vertex)
    return sources
