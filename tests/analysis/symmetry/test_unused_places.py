"""Places that are not in use name no component; and the order in which messages are looked at does not matter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from asset import Array, Int, Map, Model, Optional, Queue, Set, check, invariant, process, transition, when
from asset.analysis.symmetry.prime_implicants import PrimeImplicants
from asset.analysis.symmetry.terms import Terms
from asset.analysis.symmetry.used_cells import UsedCells
from asset.analysis.watch import Watch
from asset.frontends.python import compile_model
from asset.ir.presence import uses_of


class LockServer(Model):
    n: int = 3

    def state(self) -> None:
        self.requests = Queue(self.n, Int(0, self.n - 1))
        self.holder = Optional(Int(0, self.n - 1))
        self.last = Map(2, Int(0, self.n - 1))
        self.asked = Array(self.n, False)

    @transition(i="n")
    def ask(self, i: int) -> None:
        when(not self.asked[i])
        self.asked[i] = True
        self.requests.put(i)

    @process
    def server(self) -> Iterator[None]:
        while True:
            when(not self.requests.empty() and self.holder is None)
            who = self.requests.get()
            yield
            self.holder = who
            yield

    @transition
    def give_back(self) -> None:
        when(self.holder is not None)
        holder = self.holder
        self.asked[holder] = False
        if 0 in self.last:
            self.last[1] = self.last[0]
        self.last[0] = holder
        self.holder = None

    @invariant
    def holders_have_asked(self) -> bool:
        return self.holder is None or self.asked[self.holder]


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_blank_is_not_the_name_of_component_0(engine: str) -> None:
    plain, auto = (check(LockServer(), engine=engine, symmetry=symmetry) for symmetry in ("off", "auto"))
    assert plain.holds and auto.holds
    assert auto.reduction.group_order == 6 and auto.reduction.exact
    assert plain.states == 598 and auto.states == classes(LockServer())


def classes(model: Model) -> int:
    """States that differ only in the names of clients, counted by brute force: without any analysis."""
    from itertools import permutations

    from asset.checks.rendering import values
    from asset.ir.interpreter import Interpreter

    program = compile_model(model)
    run, found = Interpreter(program), [program.initial]
    seen = set(found)
    for state in found:
        for _, after in run.successors(state):
            if after not in seen:
                seen.add(after)
                found.append(after)

    def renamed(state: tuple[int, ...], order: tuple[int, ...]) -> str:
        shown = dict(values(program, state))
        used = uses_of(program)
        who = program.cell_names.index("server.who")
        name = order[state[who]] if used[who].holds(state) else None
        asked = [shown["asked"][order.index(k)] for k in range(3)]
        queue = [order[k] for k in shown["requests"]]
        last = {k: order[v] for k, v in dict(shown["last"]).items()}
        holder = None if shown["holder"] is None else order[shown["holder"]]
        return repr((shown["server.at"], name, asked, queue, sorted(last.items()), holder))

    return len({min(renamed(state, order) for order in permutations(range(3))) for state in found})


class Best(Model):
    """The best of what was sent, kept in a loop; and the number of the messages."""

    def state(self) -> None:
        self.sent = Set((3, 3))
        self.best = Int(0, 2)
        self.most = Int(0, 2)

    @transition(a=3, v=3)
    def send(self, a: int, v: int) -> None:
        self.sent.add((a, v))

    @transition
    def look(self) -> None:
        best = 0
        for _, v in self.sent:
            if v > best:
                best = v
        self.best = best
        self.most = max((v for _, v in self.sent), default=0)

    @invariant
    def both_ways_agree(self) -> bool:
        return self.best == self.most


def test_the_order_of_messages_does_not_tell_them_apart() -> None:
    auto, plain = (check(Best(), symmetry=symmetry) for symmetry in ("auto", "off"))
    assert auto.reduction.group_order == 432  # any order of the senders of each value; best for most
    assert auto.holds and plain.holds
    assert (plain.states, auto.states) == (1408, 160)


def test_prime_implicants_are_the_same_in_whatever_order_a_condition_was_made() -> None:
    terms = Terms(UsedCells(compile_model(Best())))
    a, b, c = (terms.within(cell, 2) for cell in range(3))
    one = terms.either(terms.both(a, b), terms.both(terms.negation(a), c), terms.both(b, c))
    other = terms.both(terms.either(terms.negation(a), b), terms.either(a, c))
    assert one != other
    canonical = PrimeImplicants(terms, Watch())
    assert canonical.condition(one) == canonical.condition(other)
    assert canonical.condition(terms.either(terms.both(a, b), terms.both(a, terms.negation(b)))) == a
