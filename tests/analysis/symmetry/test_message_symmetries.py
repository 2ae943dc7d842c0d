"""Symmetries of protocols that keep messages in sets: a state for each class, counted without any analysis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product

import pytest
from places import MODELS

from asset import Array, Int, Model, Optional, Record, Set, check, choose, transition
from asset.checks.rendering import values
from asset.frontends.python import compile_model, load
from asset.ir.interpreter import Interpreter

Named = Mapping[str, str]
"""What fields of messages, and elements of variables, name."""


def states(model: Model) -> Iterator[dict[str, object]]:
    """All states as they are shown, by brute force."""
    program = compile_model(model)
    run, found = Interpreter(program), [*program.initial_states]
    seen = set(found)
    for state in found:
        yield dict(values(program, state))
        for _, after in run.successors(state):
            if after not in seen:
                seen.add(after)
                found.append(after)


def renamed_message(message: dict[str, object], orders: dict[str, tuple[int, ...]], named: Named) -> str:
    found = dict[str, object]()
    for field, value in message.items():
        match value:
            case [ballot, int(inner)] if field == "vote":
                found[field] = [ballot, orders["value"][inner]]
            case int() if field in named:
                found[field] = orders[named[field]][value]
            case _:
                found[field] = value
    return repr(sorted(found.items()))


def paxos_renamed(state: dict[str, object], acceptors: tuple[int, ...], of_values: tuple[int, ...]) -> str:
    orders, named = {"acceptor": acceptors, "value": of_values}, {"acceptor": "acceptor", "value": "value"}
    sent = sorted(renamed_message(m, orders, named) for m in state["sent"])  # type: ignore[attr-defined]
    back = [acceptors.index(k) for k in range(len(acceptors))]
    promised = [state["promised"][k] for k in back]  # type: ignore[index]
    voted = [state["voted"][k] for k in back]  # type: ignore[index]
    return repr((sent, promised, [None if v is None else (v[0], of_values[v[1]]) for v in voted]))


def test_acceptors_and_values_of_paxos_are_interchangeable() -> None:
    model = load(f"{MODELS}/paxos.py:Paxos")
    renamings = list(product(permutations(range(2)), permutations(range(2))))
    least = len({min(paxos_renamed(s, *each) for each in renamings) for s in states(model)})
    for engine in ("reference", "native"):
        auto = check(model, engine=engine, symmetry="auto")
        assert auto.holds and auto.reduction.group_order == 4 and auto.reduction.exact
        assert (auto.states, check(model).states) == (least, 145)


def test_forgetful_acceptors_are_found_with_symmetries_too() -> None:
    auto = check(load(f"{MODELS}/paxos.py:Forgetful"), symmetry="auto")
    assert auto.violation is not None and auto.violation.property == "at_most_one_is_chosen"
    assert auto.counterexample is not None and len(auto.counterexample.steps) == 13


def raft_renamed(state: dict[str, object], order: tuple[int, ...]) -> str:
    named = {"candidate": "server", "voter": "server"}
    network = sorted(renamed_message(m, {"server": order}, named) for m in state["network"])  # type: ignore[attr-defined]
    back = [order.index(k) for k in range(len(order))]
    rows = [
        (state["term"][k], state["role"][k], state["voted_for"][k], state["votes"][k])  # type: ignore[index]
        for k in back
    ]
    renamed = [
        (term, role, None if vote is None else order[vote], sorted(order[v] for v in votes))
        for term, role, vote, votes in rows
    ]
    return repr((renamed, network))


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_servers_of_raft_are_interchangeable(engine: str) -> None:
    model = load(f"{MODELS}/raft_election.py:RaftElection", {"terms": "1"})
    everything = list(states(model))
    least = len({min(raft_renamed(s, order) for order in permutations(range(3))) for s in everything})
    auto = check(model, engine=engine, symmetry="auto")
    assert auto.holds and auto.reduction.group_order == 6 and auto.reduction.exact
    assert (auto.states, len(everything)) == (least, 269)


class Told(Record):
    by: int
    seen: int


class Gossip(Model):
    """Whoever is told something forgets it, or tells what it heard; what is chosen has a part that may be empty."""

    def state(self):
        who = Int(0, 1)
        self.mail = Set(Told(who, Optional(who)))
        self.knows = Array(2, Optional(who))

    @transition(i=2)
    def tell(self, i):
        self.mail.add(Told(i, self.knows[i]))

    @transition(i=2)
    def hear(self, i):
        message = choose(self.mail)
        self.mail.remove(message)
        if message.by != i:
            self.knows[i] = message.by if message.seen is None else message.seen


def gossip_renamed(state: dict[str, object], order: tuple[int, ...]) -> str:
    def renamed(name: int | None) -> int | None:
        return None if name is None else order[name]

    mail = sorted(repr((renamed(m["by"]), renamed(m["seen"]))) for m in state["mail"])  # type: ignore[attr-defined]
    return repr((mail, [renamed(state["knows"][order.index(k)]) for k in range(2)]))  # type: ignore[index]


def test_messages_with_an_empty_part_are_chosen_once_and_their_senders_are_interchangeable() -> None:
    program = compile_model(Gossip())
    assert program.families[1].size == 2 * 6  # who hears, and one of the messages that there are
    plain, auto = (check(Gossip(), symmetry=symmetry) for symmetry in ("off", "auto"))
    assert auto.reduction.group_order == 2 and auto.reduction.exact
    everything = list(states(Gossip()))
    least = len({min(gossip_renamed(s, order) for order in ((0, 1), (1, 0))) for s in everything})
    assert (plain.states, auto.states) == (len(everything), least) == (200, 104)
