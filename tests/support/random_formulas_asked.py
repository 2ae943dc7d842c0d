"""Random programs (`random_cycles`) with a formula that is asked of them: linear or branching time, with fairness and
assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from random_cycles import random_cycles

from asset.ir.program import Program
from asset.ir.requirements import Branching, Enabled, Fairness, Observation, Taken, Temporal
from asset.logic import formulas as f

UNARY = (f.Not, f.Eventually, f.Always, f.Eventually, f.Always)
BINARY = (f.Until, f.Release, f.WeakUntil, f.Implies)


def random_ltl(random: Random, atoms: Sequence[Observation], size: int) -> f.Formula:
    """Without next, of so many parts."""
    if size <= 1:
        return f.Atom(random.choice(atoms))
    if size == 2 or random.random() < 0.5:
        return random.choice(UNARY)(random_ltl(random, atoms, size - 1))
    left = random.randrange(1, size - 1)
    parts = random_ltl(random, atoms, left), random_ltl(random, atoms, size - 1 - left)
    return f.And(parts) if random.random() < 0.3 else random.choice(BINARY)(*parts)


def random_ctl(random: Random, atoms: Sequence[Observation], size: int) -> f.Formula:
    if size <= 1:
        return f.Atom(random.choice(atoms))
    if random.random() < 0.2:
        return f.Not(random_ctl(random, atoms, size - 1))
    quantifier = random.choice((f.ForAll, f.Exists))
    if size == 2 or random.random() < 0.5:
        return quantifier(random.choice((f.Next, f.Eventually, f.Always))(random_ctl(random, atoms, size - 1)))
    left = random.randrange(1, size - 1)
    parts = random_ctl(random, atoms, left), random_ctl(random, atoms, size - 1 - left)
    return quantifier(random.choice((f.Until, f.Release, f.WeakUntil))(*parts))


def of_states(seed: int, mirrors: bool = False) -> tuple[Program, Temporal]:
    """A formula without next that observes states: what stubborn sets preserve."""
    random, program = Random(seed), random_cycles(seed, mirrors)
    atoms = _atoms(random, program)
    return program, Temporal("asked", random_ltl(random, atoms, random.randrange(2, 6)), None)


def of_anything(seed: int) -> tuple[Program, Temporal | Branching]:
    """Also of commands that are fired, under fairness and assumptions."""
    random, program = Random(seed), random_cycles(seed)
    atoms = _atoms(random, program)
    fairness = tuple(
        Fairness(f"fair {k}", _some_commands(random, program), random.random() < 0.5)
        for k in range(random.choice((0, 0, 1, 2)))
    )
    taken = Taken("taken", _some_commands(random, program))
    assumed = (f.Always(f.Eventually(f.Atom(random.choice([*atoms, taken])))),) if random.random() < 0.2 else ()
    size = random.randrange(2, 6)
    if random.random() < 0.4:
        return program, Branching("asked", random_ctl(random, atoms, size), None, fairness, assumed)
    seen = [*atoms, taken] if random.random() < 0.4 else atoms
    return program, Temporal("asked", random_ltl(random, seen, size), None, fairness, assumed)


def _atoms(random: Random, program: Program) -> list[Observation]:
    """One or two of the program's predicates, and perhaps whether commands are enabled."""
    atoms: list[Observation] = [*random.sample(program.predicates, random.choice((1, 2)))]
    if random.random() < 0.3:
        atoms.append(Enabled("enabled", _some_commands(random, program)))
    return atoms


def _some_commands(random: Random, program: Program) -> frozenset[int]:
    return frozenset(random.sample(range(program.nr_commands), min(program.nr_commands, random.choice((1, 2)))))
