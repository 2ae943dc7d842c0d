"""The state space as a picture: what a node stands for, where it lies, what is marked, what other tools can read."""

from __future__ import annotations

import json
import re
import time
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browser import chromium
from places import GOLDEN, MODELS

from asset import Array, Int, Model, invariant, terminal, transition, when
from asset.checks import CheckOptions, check
from asset.cli.main import main
from asset.errors import UsageError
from asset.languages import ModelSpec, load, subject_of
from asset.space import exploring, exports
from asset.space.exploring import Explored, explore
from asset.space.graph_views import condensed, full, projected
from asset.space.labels import label_spots
from asset.space.layering import Size, layering
from asset.space.levels import MOST, levels, levels_of
from asset.space.page import page
from asset.space.routes import routes
from asset.space.state_graph import GraphView, Mark, StateGraph
from asset.space.style import stroke
from asset.space.svg import svg

SPACE_GOLDEN = GOLDEN / "space"
RING = str(MODELS / "token_ring.py")
TABLE = str(MODELS / "philosophers.py:OrderedPhilosophers")


class Stairs(Model):
    """Two walkers on stairs; they meet at the top, and one of them may fall."""

    top: int = 2

    def state(self) -> None:
        self.at = Array(2, Int(0, 2))

    @transition(i=2)
    def climb(self, i: int) -> None:
        when(self.at[i] < self.top)
        self.at[i] += 1

    @transition
    def fall(self) -> None:
        when(self.at[0] == 1 and self.at[1] == 0)
        self.at[1] -= 1  # out of range: a model error

    @invariant
    def not_both_on_the_first(self) -> bool:
        return not (self.at[0] == 1 and self.at[1] == 1)

    @terminal
    def both_on_top(self) -> bool:
        return all(at == 2 for at in self.at)


def explored(model: str, **parameters: str) -> Explored:
    return explore(load(ModelSpec(model, parameters)), CheckOptions())


def by_lines(graph: StateGraph) -> dict[str, int]:
    return {", ".join(node.lines): node.number for node in graph.nodes}


# --- what is drawn ----------------------------------------------------------------------------------------------


def test_the_whole_space_has_the_states_and_edges_of_a_check() -> None:
    graph = full(explored(RING, n="3"))
    assert (len(graph.nodes), graph.edges, graph.view) == (468, 1350, GraphView.STATES)
    assert sum(arrow.edges for arrow in graph.arrows) == 1350
    assert [sum(mark in node.marks for node in graph.nodes) for mark in Mark] == [1, 0, 3, 0]


def test_reductions_draw_the_reduced_space() -> None:
    options = CheckOptions(stubborn="hand", symmetry="hand")
    graph = full(explore(load(ModelSpec(RING, {"n": "3"})), options))
    assert (len(graph.nodes), graph.edges) == (73, 109)
    assert graph.title == "TokenRing(n=3), reduced by stubborn sets and symmetry"


def test_a_reduction_that_the_model_has_no_rules_for_is_an_error() -> None:
    with pytest.raises(UsageError, match="stubborn=hand needs stubborn set rules"):
        explore(subject_of(Stairs()), CheckOptions(stubborn="hand"))


def test_bad_states_and_model_errors_are_marked_and_the_space_goes_on_behind_them() -> None:
    graph = full(explore(subject_of(Stairs()), CheckOptions()))
    assert len(graph.nodes) == 9
    wrong = {node.lines[0]: node.wrong for node in graph.nodes if Mark.BAD in node.marks}
    assert wrong["at: 1 1"] == "not_both_on_the_first is false"
    assert wrong["at: 1 0"].startswith("model error: fall: ")
    assert len(wrong) == 2
    assert [node.lines for node in graph.nodes if Mark.TERMINAL in node.marks] == [("at: 2 2",)]


def test_a_node_lies_in_the_layer_of_its_distance() -> None:
    graph = full(explore(subject_of(Stairs()), CheckOptions()))
    assert {node.lines[0]: node.depth for node in graph.nodes} == {
        f"at: {a} {b}": a + b for a in range(3) for b in range(3)
    }


def test_condensing_takes_strong_components_together() -> None:
    space = explored(str(MODELS / "philosophers.py:Philosophers"), n="3")
    graph = condensed(space)
    assert sum(node.states for node in graph.nodes) == len(space.states)
    assert Mark.INITIAL in graph.nodes[0].marks
    # Components form no cycle: along arrows there is an order.
    order = {node.number: at for at, node in enumerate(graph.nodes)}
    reached = {arrow.target: set[int]() for arrow in graph.arrows}
    for arrow in graph.arrows:
        assert arrow.source != arrow.target
        reached[arrow.target].add(order[arrow.source])
    while reached:
        free = [node for node, sources in reached.items() if not sources & reached.keys()]
        assert free, "a cycle of components"
        for node in free:
            del reached[node]


def test_a_projection_has_a_node_for_each_combination_of_values() -> None:
    space = explored(RING, n="2")
    graph = projected(space, ["client[0]", "server[0]"])
    at = {(state[0], state[2]) for state in space.states}
    assert len(graph.nodes) == len(at) == 10
    assert sum(node.states for node in graph.nodes) == 68
    nodes = by_lines(graph)
    requested = nodes["client[0]: REQUESTED, server[0]: WAITING"]
    critical = nodes["client[0]: CRITICAL, server[0]: SERVING"]
    assert [a.names for a in graph.arrows if (a.source, a.target) == (requested, critical)] == [("server_step(0)",)]
    assert all(a.source != a.target for a in graph.arrows), "what changes nothing that is shown is not drawn"


def test_a_whole_variable_can_be_projected_onto() -> None:
    graph = projected(explored(RING, n="2"), ["token"])
    assert sorted(node.lines for node in graph.nodes) == [
        ("token[0]: False", "token[1]: True"),
        ("token[0]: True", "token[1]: False"),
    ]


# --- where it lies ----------------------------------------------------------------------------------------------


def test_nodes_do_not_overlap_and_layers_lie_below_each_other() -> None:
    graph = full(explored(RING, n="2"))
    where = layering(graph, [Size(30, 20)] * len(graph.nodes), Size(5, 10)).nodes
    rows: dict[float, list[float]] = {}
    for node, bounds in zip(graph.nodes, where, strict=True):
        rows.setdefault(bounds.y, []).append(bounds.x)
        assert bounds.y == 10 + 30 * node.depth
    for xs in rows.values():
        assert all(right - left >= 35 for left, right in pairwise(sorted(xs)))


def test_an_arrow_over_several_layers_bends_in_each_of_them_where_no_node_is() -> None:
    graph = full(explored(RING, n="2"))
    laid = layering(graph, [Size(30, 20)] * len(graph.nodes), Size(5, 10))
    up = 0
    for arrow, bends in zip(graph.arrows, laid.bends, strict=True):
        source, target = graph.nodes[arrow.source].depth, graph.nodes[arrow.target].depth
        up += target < source
        passed = range(source, target, 1 if target > source else -1)[1:]
        assert [bend.y for bend in bends] == [10 + 30 * depth for depth in passed]
        for bend in bends:
            assert all(abs(node.x - bend.x) >= 15 for node in laid.nodes if node.y == bend.y)
    assert up == 22


def test_arrows_begin_at_their_source_and_end_at_their_target() -> None:
    graph = full(explored(RING, n="2"))
    laid = layering(graph, [Size(30, 20)] * len(graph.nodes), Size(5, 10))
    for arrow, route in zip(graph.arrows, routes(graph, laid), strict=True):
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", route.path)]
        for (x, y), node in ((numbers[:2], arrow.source), (numbers[-2:], arrow.target)):
            bounds = laid.nodes[node]
            assert abs(x - bounds.x) <= 15 and abs(y - bounds.y) == pytest.approx(10, abs=0.1)


def test_the_order_within_a_layer_leaves_no_crossings_where_there_need_be_none() -> None:
    graph = full(explore(subject_of(Stairs()), CheckOptions()))
    where = layering(graph, [Size(30, 20)] * 9, Size(5, 10)).nodes
    for a in graph.arrows:
        for b in graph.arrows:
            if graph.nodes[a.source].depth == graph.nodes[b.source].depth:
                starts = where[a.source].x - where[b.source].x
                ends = where[a.target].x - where[b.target].x
                assert starts * ends >= 0, "two arrows cross"


def test_names_of_arrows_do_not_cover_each_other() -> None:
    graph = projected(explored(RING, n="3"), ["client[0]", "server[0]"])
    laid = layering(graph, [Size(150, 58)] * len(graph.nodes), Size(28, 64))
    names = [arrow.names for arrow in graph.arrows]
    spots = label_spots(names, routes(graph, laid))
    for at, ((name,), (x, y)) in enumerate(zip(names, spots, strict=True)):
        for (other,), (x2, y2) in zip(names[:at], spots[:at], strict=True):
            assert abs(x - x2) >= 3.3 * (len(name) + len(other)) or abs(y - y2) >= 12


def test_35_families_are_told_apart_by_colour_and_line_and_neighbours_by_each_of_them() -> None:
    looks = [(stroke(family).colour, stroke(family).pattern) for family in range(35)]
    assert len(set(looks)) == 35
    for one, other in pairwise(looks):
        assert one[0] != other[0] and one[1] != other[1]


# --- files ------------------------------------------------------------------------------------------------------


def test_the_picture_is_well_formed_and_says_what_it_shows() -> None:
    graph = full(explore(subject_of(Stairs()), CheckOptions()))
    tree = ElementTree.fromstring(svg(graph))
    text = " ".join(tree.itertext())
    assert "9 states, 12 edges" in text
    assert "✗ bad" in text and "▼ initial" in text and "double border" in text
    assert "climb (whole line)" in text
    nodes = [each for each in tree.iter() if each.get("data-n")]
    assert len(nodes) == 9


def test_text_of_a_model_is_never_markup() -> None:
    graph = projected(explored(RING, n="2"), ["client[0]"])
    sly = StateGraph("<script>", graph.view, graph.nodes, graph.arrows, graph.families, 1, 1)
    assert "<script>" not in svg(sly)
    assert page(sly).count("<script>") == 1  # our own


@pytest.mark.parametrize("written", ["dot", "aut"])
def test_other_formats_are_as_they_were(written: str) -> None:
    graph = full(explore(subject_of(Stairs()), CheckOptions()))
    text = exports.dot(graph) if written == "dot" else exports.aut(graph)
    assert text == (SPACE_GOLDEN / f"stairs.{written}").read_text(encoding="utf-8")


def test_an_aut_file_has_every_edge_once() -> None:
    lines = exports.aut(full(explored(RING, n="2"))).splitlines()
    assert lines[0] == "des (0, 140, 68)"
    assert len(set(lines[1:])) == 140
    assert all(re.fullmatch(r'\(\d+, "\w+\(\d\)", \d+\)', line) for line in lines[1:])


def test_the_command_writes_what_the_file_is_called(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in ("svg", "html", "dot", "aut", "json"):
        file = tmp_path / f"space.{ending}"
        assert main(["graph", RING, "-p", "n=2", "-o", str(file)]) == 0
        assert f"TokenRing(n=2): 68 states, 140 edges: {file}" in capsys.readouterr().out
    data = json.loads((tmp_path / "space.json").read_text())
    assert (len(data["nodes"]), sum(arrow["edges"] for arrow in data["arrows"])) == (68, 140)
    assert data["nodes"][0]["state"]["token"] == [False, True]


@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        ("token_ring.py", {"n": "3"}),
        ("philosophers.py:Philosophers", {"n": "3"}),
        ("alternating_bit.py:AlternatingBit", {}),
        ("readers_writers.py:RacyReaders", {}),
    ],
)
def test_machine_code_and_interpreter_find_the_same_space(
    model: str, parameters: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_interpreter = explored(str(MODELS / model), **parameters)
    monkeypatch.setattr(exploring, "FEW_FIRINGS", 1)
    by_machine = explored(str(MODELS / model), **parameters)
    assert by_machine.states == by_interpreter.states
    assert by_machine.edges == by_interpreter.edges
    assert by_machine.wrong == by_interpreter.wrong


def test_machine_code_that_fails_is_explained_by_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "FEW_FIRINGS", 1)
    wrong = explore(subject_of(Stairs()), CheckOptions()).wrong
    assert "model error: fall: at[1] = -1 is out of range: at takes 0..2" in wrong.values()


class Nothing(Model):
    """No state, no transition."""


class PlainOnly(Model):
    """Outside the compiled language: a dictionary."""

    def state(self) -> None:
        self.at = Int(0, 2)

    @transition
    def step(self) -> None:
        following = {0: 1, 1: 2}
        when(self.at in following)
        self.at = following[self.at]


def test_the_smallest_model_has_a_picture() -> None:
    graph = full(explore(subject_of(Nothing()), CheckOptions()))
    ElementTree.fromstring(svg(graph))
    assert exports.aut(graph) == "des (0, 0, 1)\n"
    assert "state 0" in svg(graph)


def test_a_model_outside_the_compiled_language_has_a_picture() -> None:
    assert len(full(explore(subject_of(PlainOnly()), CheckOptions())).nodes) == 3


def test_the_page_of_a_graph_tells_of_the_node_that_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "space.html"
    file.write_text(page(full(explore(subject_of(Stairs()), CheckOptions()))), encoding="utf-8")
    with chromium() as browser:
        tab = browser.new_page()
        complaints: list[str] = []
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto(file.as_uri())
        tab.click("[data-n='4'] text >> nth=0")
        assert "not_both_on_the_first is false" in tab.inner_text("#told")
        tab.click("#told button >> text=climb(0)")
        assert "Node 7" in tab.inner_text("#told")
        before = tab.get_attribute("#picture svg", "viewBox")
        tab.keyboard.press("+")
        assert tab.get_attribute("#picture svg", "viewBox") != before
        tab.keyboard.press("0")
        assert tab.get_attribute("#picture svg", "viewBox") == before
        assert tab.inner_text("#told") == "" and complaints == []


def test_a_hairball_is_drawn_by_its_levels_with_what_to_do_instead(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "space.svg"
    assert main(["graph", RING, "-p", "n=3", "-o", str(file)]) == 0
    told = capsys.readouterr().out
    assert "(levels) of 468 states" in told and "--project client[0] draws 4 nodes" in told
    picture = file.read_text(encoding="utf-8")
    assert "depth 0" in picture and "--limit 468 draws every state" in picture and len(picture) < 50_000


def test_what_was_asked_for_and_cannot_be_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "space.svg"
    assert main(["graph", RING, "-p", "n=3", "-o", str(file), "--project", "client,server", "--limit", "20"]) == 2
    assert "nodes are more than anyone can read" in capsys.readouterr().err and not file.exists()


def test_the_levels_have_every_state_and_every_edge_once() -> None:
    space = explored(RING, n="3")
    for drawn in (levels(space), levels_of(full(space))):
        assert sum(node.states for node in drawn.nodes) == len(space.states)
        told = "; ".join(line for node in drawn.nodes for line in node.lines)
        beside = sum(int(count.replace(",", "")) for count in re.findall(r"([\d,]+) edges", told))
        assert beside + sum(arrow.edges for arrow in drawn.arrows) == sum(map(len, space.edges))
    assert (
        tuple(node.states for node in levels(space).nodes)
        == check(load(ModelSpec(RING, {"n": "3"})), CheckOptions()).levels
    )


def test_levels_of_a_deep_space_stand_together() -> None:
    class Counter(Model):
        def state(self) -> None:
            self.n = Int(0, 100)

        @transition
        def tick(self) -> None:
            when(self.n < 100)
            self.n += 1

    found = levels(explore(subject_of(Counter()), CheckOptions()))
    assert [node.lines[0] for node in found.nodes[:2]] == ["depths 0 to 3", "depths 4 to 7"]
    assert len(found.nodes) <= MOST


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-o", "space.png"], "end it in .svg, .html, .dot, .aut, .json"),
        (["-o", "space.svg", "--project", "nobody[0]"], "it has client[0..1], server[0..1], token[0..1]"),
        (["-o", "space.svg", "--max-states", "10"], "more than 10 states"),
        (["-o", "nowhere/space.svg"], "there is no directory nowhere"),
        (["-o", "space.aut", "--condense"], "an aut file has the whole state space"),
        (["-o", "space.svg", "--condense", "--project", "token"], "not allowed with argument"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    words: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["graph", RING, "-p", "n=2", *words]) == 2
    assert complaint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_picture_of_some_2000_states_takes_less_than_3_seconds(tmp_path: Path) -> None:
    started = time.process_time()  # as the machine may be busy with other tests
    main(["graph", TABLE, "-p", "n=6", "-o", str(tmp_path / "space.svg")])  # 1,902 states, 9,389 edges
    assert time.process_time() - started < 3


def test_in_a_notebook_a_graph_shows_itself_or_how_to_make_it_smaller() -> None:
    assert "<svg" in full(explored(RING, n="2"))._repr_html_()
    large = full(explored(RING, n="4"))._repr_html_()
    assert "depth 3" in large and "project=" in large and len(large) < 50_000
