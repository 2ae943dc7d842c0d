"""The figures of the paper on emptiness checks: clients, servers, and whether each request is answered."""

from __future__ import annotations

import pytest
from places import MODELS

from asset import check, load
from asset.checks import CheckOptions
from asset.checks.plan import plan
from asset.engine.product import explored_space
from asset.engine.search import Search
from asset.engine.sources import source_of
from asset.engine.temporal import FairProduct, Observer
from asset.ir.reductions import NO_REDUCTIONS
from asset.ir.requirements import Temporal

ANSWERED = "G(client[0] == Client.WAITING -> F client[0] == Client.SERVED)"


def product(clients: int, servers: int, fair: str | None) -> tuple[int, int, int]:
    """Vertices, edges, and conditions that a cycle must meet."""
    subject = load(MODELS / "client_server.py", clients=clients, servers=servers).asking([("--ltl", ANSWERED)])
    executable = subject.executable()
    search = Search(source_of(executable, NO_REDUCTIONS))
    search.run([executable.program.initial])
    planned = plan(executable.program, CheckOptions(only=frozenset({"temporal"}), ltl=ANSWERED, fair=fair))
    required = planned.requirements[0]
    assert isinstance(required, Temporal)
    made = FairProduct(explored_space(search.store), Observer(executable, search, required), required, [0])
    return len(made.vertices), sum(map(len, made.edges.values())), len(made.wanted)


def test_fairness_costs_no_vertices() -> None:
    assert product(3, 1, None) == (783, 2371, 1)
    assert product(3, 1, "weak") == (783, 2371, 5)


def test_the_product_of_three_clients_and_three_servers() -> None:
    assert product(3, 3, None) == (22_147, 93_537, 1)


@pytest.mark.parametrize(
    ("clients", "servers", "holds"), [(3, 1, True), (2, 1, True), (1, 3, True), (2, 2, False), (3, 3, False)]
)
def test_which_systems_answer_each_request(clients: int, servers: int, holds: bool) -> None:
    model = load(MODELS / "client_server.py", clients=clients, servers=servers)
    assert check(model, only=["temporal"], ltl=ANSWERED).holds is holds
    assert check(model, only=["temporal"], ltl=ANSWERED, fair="weak").holds
