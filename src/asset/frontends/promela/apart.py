"""Which processes of one kind never meet: there is only one of them, or each has channels of its own.

A command for a rendezvous that never happens costs nothing while exploring, but finding stubborn sets compares all
commands with each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from asset.frontends.promela import syntax as s
from asset.frontends.promela.instances import MadeBy
from asset.frontends.promela.naming import ChannelNames, parts_of
from asset.frontends.promela.types import CHAN


@dataclass(frozen=True, slots=True)
class Apart:
    only: frozenset[str] = frozenset()
    """The kinds of which there is never more than one process."""
    own: frozenset[s.Declaration] = frozenset()
    """Parameters that name another channel in each process of their kind."""

    def never_meet(self, kind: str, send: s.Send, receive: s.Receive) -> bool:
        """Whether no process of the kind receives what another one of it sends."""
        ours, theirs = send.channel, receive.channel
        return kind in self.only or (ours.declaration is theirs.declaration and ours.declaration in self.own)


def processes_apart(module: s.Module, names: ChannelNames, made_by: MadeBy) -> Apart:
    there = {process.name: process.active for process in module.processes}
    for (_, kind), count in made_by.items():
        there[kind] += count
    only = frozenset(kind for kind, count in there.items() if count <= 1)
    found: set[s.Declaration] = set()
    for process in module.processes:
        runs = list(_runs_of(module, process.name))
        makers = [maker for maker, _ in runs]
        at_most_once = all(maker in only and made_by.get((maker, process.name), 0) <= 1 for maker in makers)
        if process.active == 0 and at_most_once and len(set(makers)) == len(makers):
            found.update(_own(process, [run for _, run in runs], names))
    return Apart(only, frozenset(found))


def _runs_of(module: s.Module, kind: str) -> Iterator[tuple[str, s.Run]]:
    """The places where processes of the kind are made, each with the kind of what makes them."""
    for maker in module.processes:
        for node in parts_of(maker.body):
            if isinstance(node, s.Run) and node.process == kind:
                yield maker.name, node


def _own(process: s.Proctype, runs: list[s.Run], names: ChannelNames) -> Iterator[s.Declaration]:
    """The parameters that are never assigned to, and get channels of other declarations from each `run`, which is
    executed once at most."""
    for k, parameter in enumerate(process.parameters):
        if parameter.type == CHAN and parameter not in names.assigned:
            given = [names.of(run.arguments[k]) for run in runs]
            if all(one.isdisjoint(other) for one, other in combinations(given, 2)):
                yield parameter
