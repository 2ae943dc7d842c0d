"""The parts of the reference engine: strong components, candidates for stubborn sets, and the search itself."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from programs import SWAP, graph, independent, sorting

from asset.engine.components import strong_components
from asset.engine.search import Search
from asset.engine.sources import source_of
from asset.engine.stubborn import candidates, closure
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.reductions import Reductions


def searched(p: Program, **reductions: bool) -> Search:
    """After the search is over."""
    search = Search(source_of(Interpreter(p), Reductions(**reductions)))
    search.run([p.initial])
    return search


def test_components_come_after_what_they_lead_to_with_members_as_entered() -> None:
    edges = {0: [1], 1: [2, 3], 2: [0], 3: [4], 4: [3], 5: [0]}
    assert list(strong_components([5], lambda v: edges[v])) == [[3, 4], [0, 1, 2], [5]]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sets(st.integers(0, 5)), min_size=6, max_size=6))
def test_strong_components_are_the_classes_of_mutual_reachability(edges: list[set[int]]) -> None:
    reach = [closure(lambda v: edges[v], [vertex]) for vertex in range(6)]
    classes = {frozenset(b for b in range(6) if b in reach[a] and a in reach[b]) for a in range(6)}
    found = list(candidates(lambda v: sorted(edges[v]), 6))
    assert {frozenset(component) for component in found} == classes
    assert sum(map(len, found)) == 6


def test_obligations_are_asked_for_only_as_far_as_the_search_goes() -> None:
    asked: list[int] = []

    def obligations(command: int) -> list[int]:
        asked.append(command)
        return [1] if command == 3 else []

    assert next(candidates(obligations, 4)) == [1]
    assert asked == [3, 1]


def test_the_members_of_a_component_are_fired_in_the_order_of_entering() -> None:
    p = graph([[1, -1, -1, -1], [2, -1, -1, -1], [3, -1, -1, -1]], rules=[[2], [0], [1]])
    assert [command for command, _ in searched(p, hand_rules=True).store.edges[0]] == [2, 1, 0]


def test_what_a_stubborn_set_leaves_out_can_be_fired_later() -> None:
    search = searched(independent((), ()), hand_rules=True)
    assert [command for command, _ in search.store.edges[0]] == [1]
    search.widen([(0, 0)])
    assert [command for command, _ in search.store.edges[0]] == [1, 0]
    assert len(search.store) > 5  # and what is new is explored


def test_the_store_has_representatives_only() -> None:
    assert all(x <= y for x, y in searched(sorting(*SWAP), hand_symmetry=True).store.vertices)
