"""Heaps mean the same in CPython, in the reference interpreter and in native code; addresses make no difference."""

from __future__ import annotations

import importlib
import os
import random
import sys
from itertools import permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory

from agreement import Agreement
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_heaps import HEAD, TAIL, models

from asset import Answer, check
from asset.errors import ModelRejected
from asset.frontends.python import load
from asset.ir.program import State
from asset.model.heap_numbering import HeapCells, HeapNumbering

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "15"))
REJECTED = {"this is no reference"}


def agreement_of(text: str, compiled: bool) -> Agreement:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_heap.py"
        file.write_text(text)
        return Agreement(load(str(file), {}), compiled, anywhere=True)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(), st.integers(0, 9))
def test_random_models_with_heaps_mean_the_same(text: str, dice: int) -> None:
    """Firing by firing, in the first states of each model. One in ten is compiled to machine code."""
    try:
        agreement = agreement_of(text, compiled=dice == 0)
    except ModelRejected as rejected:
        assert {diagnostic.message for diagnostic in rejected.diagnostics} <= REJECTED
        return
    agreement.explore(12)


@settings(max_examples=max(4, EXAMPLES // 6), deadline=None, suppress_health_check=list(HealthCheck))
@given(models())
def test_reductions_keep_the_answer(text: str) -> None:
    """What analyses know of heaps is coarse, and enough."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_heap.py"
        file.write_text(text)
        try:
            model = load(str(file), {})
            reduced = check(model, engine="reference", stubborn="auto", symmetry="auto", max_states=300)
        except ModelRejected:
            return
        full = check(model, engine="reference", stubborn="off", symmetry="off", max_states=300)
        assert Answer.UNDECIDED in (full.answer, reduced.answer) or full.answer is reduced.answer


# --- one state up to addresses -------------------------------------------------------------------------------------


class Graphs:
    """States of a model with two heaps as graphs: any numbering of the objects, and garbage besides."""

    def __init__(self) -> None:
        text = HEAD.format(first=0, nodes=3, tags=2) + TAIL
        self.agreement = agreement_of(text, compiled=True)
        self.program = self.agreement.program
        self.touch = self.program.nr_commands - 1
        assert self.program.command_name(self.touch) == "touch"
        self.variables = {v.name: at for v, at in zip(self.program.variables, self.program.offsets, strict=True)}

    def cell(self, name: str, at: int = 0) -> int:
        return self.variables[name] + at

    def made(self, dice: random.Random) -> State:
        """Whatever a transition might leave behind: objects that refer to anything, reachable or not."""
        cells, at = [0] * len(self.program.initial), self.cell
        nodes, tags = dice.randint(0, 3), dice.randint(0, 2)
        cells[at("heap.len")], cells[at("tags.len")] = nodes, tags
        for name in ("a", "b", "box.ref"):
            cells[at(name)] = dice.randint(0, nodes)
        cells[at("tag")] = dice.randint(0, tags)
        for k in range(nodes):
            cells[at("heap.items.value", k)] = dice.randint(0, 1)
            cells[at("heap.items.next", k)] = dice.randint(0, nodes)
            cells[at("heap.items.tag", k)] = dice.randint(0, tags)
        for k in range(tags):
            cells[at("tags.items.owner", k)] = dice.randint(0, nodes)
            cells[at("tags.items.both.1", k)] = dice.randint(0, tags)
        return tuple(cells)

    def graph(self, state: State, nodes: tuple[int, ...], tags: tuple[int, ...]) -> object:
        """What the roots lead to, with object k called nodes[k - 1] or tags[k - 1]: equal for equal graphs."""
        at, found = self.cell, dict[tuple[str, int], object]()
        names = {"node": (0, *nodes), "tag": (0, *tags)}
        roots = tuple(names["node"][state[at(name)]] for name in ("a", "b", "box.ref"))
        pending = [("node", state[at(name)]) for name in ("a", "b", "box.ref")] + [("tag", state[at("tag")])]
        while pending:
            kind, number = pending.pop()
            if number == 0 or (kind, names[kind][number]) in found:
                continue
            k = number - 1
            if kind == "node":
                out = [("node", state[at("heap.items.next", k)]), ("tag", state[at("heap.items.tag", k)])]
                content = state[at("heap.items.value", k)]
            else:
                out = [("node", state[at("tags.items.owner", k)]), ("tag", state[at("tags.items.both.1", k)])]
                content = 0
            found[kind, names[kind][number]] = (content, *(names[to][there] for to, there in out))
            pending += out
        return roots, names["tag"][state[at("tag")]], frozenset(found.items())

    def isomorphic(self, one: State, other: State) -> bool:
        """By trying every renaming of the objects."""
        own = self.graph(one, (1, 2, 3), (1, 2))
        namings = product(permutations((1, 2, 3)), permutations((1, 2)))
        return any(self.graph(other, nodes, tags) == own for nodes, tags in namings)

    def renamed(self, state: State, dice: random.Random) -> State:
        """The same graph with its objects elsewhere, and other garbage."""
        nodes, tags = [0, *dice.sample((1, 2, 3), 3)], [0, *dice.sample((1, 2), 2)]
        cells, at = list(state), self.cell
        cells[at("heap.len")], cells[at("tags.len")] = 3, 2
        for name in ("a", "b", "box.ref"):
            cells[at(name)] = nodes[state[at(name)]]
        cells[at("tag")] = tags[state[at("tag")]]
        for k in range(3):
            there = nodes[k + 1] - 1
            cells[at("heap.items.value", there)] = state[at("heap.items.value", k)]
            cells[at("heap.items.next", there)] = nodes[state[at("heap.items.next", k)]]
            cells[at("heap.items.tag", there)] = tags[state[at("heap.items.tag", k)]]
        for k in range(2):
            there = tags[k + 1] - 1
            cells[at("tags.items.owner", there)] = nodes[state[at("tags.items.owner", k)]]
            cells[at("tags.items.both.1", there)] = tags[state[at("tags.items.both.1", k)]]
        return tuple(cells)


def test_states_become_equal_if_and_only_if_their_graphs_are_isomorphic() -> None:
    graphs, dice = Graphs(), random.Random(3)
    met = {True: 0, False: 0}
    for _ in range(EXAMPLES * 8):
        one = graphs.made(dice)
        other = graphs.renamed(one, dice) if dice.random() < 0.5 else graphs.made(dice)
        numbered = [graphs.agreement.fire(state, graphs.touch) for state in (one, other)]
        same = graphs.isomorphic(one, other)
        assert (numbered[0] == numbered[1]) == same, (one, other)
        met[same] += 1
    assert min(met.values()) > EXAMPLES


def test_numbering_what_is_numbered_changes_nothing() -> None:
    graphs, dice = Graphs(), random.Random(5)
    for _ in range(20):
        once = graphs.agreement.fire(graphs.made(dice), graphs.touch)
        assert once is not None and graphs.agreement.fire(once, graphs.touch) == once


# --- the numberings that are compared in benchmarks/heaps.py ----------------------------------------------------------


def test_a_chain_names_an_object_whatever_becomes_of_the_others() -> None:
    """Figure 2 of Musuvathi and Dill: a node of three cells refers to two more; then the left one is deleted."""
    compared = importlib.import_module("heaps")
    chains = compared.Chains()
    before, after = {1: [2, 0, 3], 2: [0, 0, 0], 3: [0, 0, 0]}, {1: [0, 0, 3], 3: [0, 0, 0]}
    assert chains(before) == {1: 0, 2: 3, 3: 6} and chains.table == {(0, 3): 3, (2, 3): 6}
    assert chains(after) == {1: 0, 3: 6}
    assert compared.depth_first(before)[3] == 2 and compared.depth_first(after)[3] == 1


def test_stored_numbers_are_the_ranks_of_the_shortest_chains() -> None:
    """The numbering of states, on random heaps of one kind of object with two references."""
    compared = importlib.import_module("heaps")
    size, dice = 5, random.Random(11)
    plan = HeapNumbering((heap_cells(size),), ((0, 0), (1, 0)))
    for _ in range(50):
        cells = [dice.randint(0, size) for _ in range(2)] + [size] + [dice.randint(0, size) for _ in range(2 * size)]
        graph = {1: [c and c + 1 for c in cells[:2]]}
        graph |= {k + 2: [c and c + 1 for c in cells[3 + 2 * k : 5 + 2 * k]] for k in range(size)}
        ranks = compared.ranks(graph)
        order = sorted((rank, here - 1) for here, rank in ranks.items() if here != 1)
        assert plan.orders(cells) == [[here for _, here in order]]


def heap_cells(size: int) -> HeapCells:
    objects = tuple((3 + 2 * k, 4 + 2 * k) for k in range(size))
    return HeapCells(2, objects, (0, 0), ((0, 0), (1, 0)))
