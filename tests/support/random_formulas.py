"""Random formulas of LTL and random runs that end in a cycle."""

from __future__ import annotations

import random

from asset.logic.formulas import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
)

UNARY = (Not, Not, Next, Eventually, Always)
BINARY = (Implies, Iff, Until, Until, Release, WeakUntil, StrongRelease)
State = frozenset[str]


def random_formula(chance: random.Random, size: int, atoms: str = "abc") -> Formula:
    """A formula with about as many operators and atoms as `size` says."""
    if size <= 1:
        return chance.choice([*map(Atom, atoms), *map(Atom, atoms), *map(Atom, atoms), TRUE, FALSE])
    if chance.random() < 0.36:
        return chance.choice(UNARY)(random_formula(chance, size - 1, atoms))
    left_size = chance.randint(1, size - 1)
    left, right = random_formula(chance, left_size, atoms), random_formula(chance, size - left_size, atoms)
    if chance.random() < 0.55:
        return chance.choice((And, Or))((left, right))
    return chance.choice(BINARY)(left, right)


def random_states(chance: random.Random, least: int, most: int, atoms: str = "abc") -> list[State]:
    count = chance.randint(least, most)
    return [frozenset(atom for atom in atoms if chance.random() < 0.5) for _ in range(count)]


def random_run(chance: random.Random, atoms: str = "abc") -> tuple[list[State], list[State]]:
    """Prefix and cycle."""
    return random_states(chance, 0, 4, atoms), random_states(chance, 1, 4, atoms)


def stuttering(chance: random.Random, states: list[State]) -> list[State]:
    """The same states, some of them repeated."""
    return [state for state in states for _ in range(chance.choice((1, 1, 2, 3)))]
