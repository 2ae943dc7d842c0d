"""Random models of processes that go from place to place, and of others that look at where they are."""

from __future__ import annotations

import random
from itertools import pairwise

HEAD = """\
from asset import Array, Int, Model, transition, when


class Going(Model):
    def state(self):
        self.at = Array({processes}, Int(0, {last}))
        self.own = Array({processes}, Int(0, 60))
        self.other = Array({processes}, Int(0, 200, 3))
        self.common = Int(0, 250)
        self.turn = Int(0, 3)

    def mark(self, k):
        self.{marked}[k] = {mark}
"""


def random_model(seed: int) -> str:
    """The text of a model. Its processes visit the places in a random order, so that some are reached late."""
    dice = random.Random(seed)
    processes, places = dice.choice((1, 1, 2)), dice.randint(3, 10)
    head = HEAD.format(
        processes=processes, last=places - 1, marked=dice.choice(("own", "other", "at")), mark=dice.randrange(places)
    )
    way = dice.sample(range(places), places)
    moves = [(0, way[0]), *pairwise(way)]
    steps = [_moving(dice, *move) for move in moves] + [_watching(dice, places) for _ in range(dice.randint(1, 3))]
    dice.shuffle(steps)
    return head + "".join(
        f"\n    @transition(i={processes}, j={processes})\n    def step{k}(self, i, j):\n" + "".join(step)
        for k, step in enumerate(steps)
    )


def _moving(dice: random.Random, here: int, there: int) -> list[str]:
    body = [f"        when(self.at[i] == {here}{dice.choice(('',) * 5 + (' and ' + _test(dice, 7),))})\n"]
    body += [_changing(dice) for _ in range(dice.choice((0, 0, 1, 2)))]
    body.append(f"        self.at[i] = {there}\n")
    return body + [_changing(dice)] * dice.choice((0, 0, 1))


def _watching(dice: random.Random, places: int) -> list[str]:
    test = f"self.at[{dice.choice('ij')}] {dice.choice(('==', '==', '>='))} {dice.randrange(places)}"
    return [
        f"        when({_test(dice, places)})\n",
        f"        if {test}:\n",
        f"    {_changing(dice)}",
        f"        self.turn = {dice.randrange(4)}\n",
    ]


def _test(dice: random.Random, places: int) -> str:
    k = dice.choice("ij")
    return dice.choice(
        (
            f"self.turn {dice.choice(('==', '!='))} {dice.randrange(4)}",
            f"self.own[{k}] < {dice.randrange(1, 6)}",
            f"self.at[{k}] != {dice.randrange(places)}",
            f"self.other[{k}] == {dice.randrange(4)}",
        )
    )


def _changing(dice: random.Random) -> str:
    k = dice.choice("ij")
    value = dice.choice(
        (str(dice.randrange(8)), f"self.own[{k}]", f"min(self.own[{k}] + 1, 9)", f"self.other[{k}] % 5", "self.turn")
    )
    change = dice.choice(
        (
            f"self.own[{k}] = {value}",
            f"self.other[{k}] = {value}",
            f"self.common = {dice.choice((value, str(dice.randrange(100, 250))))}",
            f"self.mark({k})",
        )
    )
    return f"        {change}\n"
