"""A railway interlocking with some four hundred transitions of their own: its text in Python and in Promela.

A station has n sections of track and points between them. A route is a row of three sections with the points as it
needs them; there are two to each place and direction. Setting a route locks its sections; a train goes over them, and
each becomes free behind it. Points may be thrown while nothing is locked near them. Interlockings are tables, and
programs made from such tables have a transition for each line: so the text is made, and written out in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

POINTS_EVERY = 4
MOST_SET = 3


class Route(NamedTuple):
    """Its sections in the order in which a train goes over them, and which points it needs in which position."""

    number: int
    sections: tuple[int, int, int]
    points: int
    position: int


class Step(NamedTuple):
    """A transition: cells with the values that it needs, and with those that it gives them; and by how much it changes
    the number of routes that are set."""

    name: str
    needs: tuple[tuple[str, int, int], ...]
    gives: tuple[tuple[str, int, int], ...]
    more: int = 0


def routes(sections: int) -> Iterator[Route]:
    number = 0
    for first in range(sections):
        here = (first, (first + 1) % sections, (first + 2) % sections)
        for way in (here, here[::-1]):
            for position in (0, 1):
                yield Route(number, way, first // POINTS_EVERY, position)
                number += 1


def steps(sections: int) -> Iterator[Step]:
    """All transitions. A route is 0: not set, 1: set, 2 to 4: a train is in its first, second, last section. A section
    is 0: free, 1: locked, 2: occupied."""
    for r in routes(sections):
        a, b, c = r.sections
        free = (("section", a, 0), ("section", b, 0), ("section", c, 0))
        locked = (("section", a, 1), ("section", b, 1), ("section", c, 1))
        at, k = "route", r.number
        yield Step(f"set_{k}", ((at, k, 0), ("points", r.points, r.position), *free), ((at, k, 1), *locked), 1)
        yield Step(f"cancel_{k}", ((at, k, 1),), ((at, k, 0), *free), -1)
        yield Step(f"enter_{k}", ((at, k, 1),), ((at, k, 2), ("section", a, 2)))
        yield Step(f"go_on_{k}", ((at, k, 2),), ((at, k, 3), ("section", a, 0), ("section", b, 2)))
        yield Step(f"arrive_{k}", ((at, k, 3),), ((at, k, 4), ("section", b, 0), ("section", c, 2)))
        yield Step(f"leave_{k}", ((at, k, 4),), ((at, k, 0), ("section", c, 0)), -1)
    for p in range(-(-sections // POINTS_EVERY)):
        near = tuple(("section", (POINTS_EVERY * p + k) % sections, 0) for k in range(4))
        for position in (0, 1):
            name = f"throw_{p}_{'left' if position else 'right'}"
            yield Step(name, (("points", p, 1 - position), *near), (("points", p, position),))


def sizes(sections: int) -> dict[str, tuple[int, int]]:
    """By name: how many there are, and the greatest value."""
    return {"route": (4 * sections, 4), "section": (sections, 2), "points": (-(-sections // POINTS_EVERY), 1)}


def python_text(sections: int) -> str:
    lines = ["from asset import Array, Int, Model, invariant, transition, when", "", "", "class Interlocking(Model):"]
    lines.append("    def state(self):")
    lines += [f"        self.{name} = Array({size}, Int(0, {most}))" for name, (size, most) in sizes(sections).items()]
    lines.append(f"        self.set = Int(0, {MOST_SET})")
    for step in steps(sections):
        needs = " and ".join(f"self.{name}[{k}] == {value}" for name, k, value in step.needs)
        needs += f" and self.set < {MOST_SET}" if step.more > 0 else ""
        lines += ["", "    @transition", f"    def {step.name}(self):", f"        when({needs})"]
        lines += [f"        self.{name}[{k}] = {value}" for name, k, value in step.gives]
        lines += [f"        self.set += {step.more}"] if step.more else []
    lines += ["", "    @invariant", "    def opposite_routes_are_not_set_together(self):"]
    lines.append(f"        return all(self.route[4 * k] == 0 or self.route[4 * k + 2] == 0 for k in range({sections}))")
    return "\n".join(lines) + "\n"


def promela_text(sections: int) -> str:
    lines = [f"byte {name}[{size}];" for name, (size, _) in sizes(sections).items()]
    lines += ["byte set;", "", "active proctype station()", "{", "end:", "    do"]
    for step in steps(sections):
        needs = " && ".join(f"{name}[{k}] == {value}" for name, k, value in step.needs)
        needs += f" && set < {MOST_SET}" if step.more > 0 else ""
        gives = "; ".join(f"{name}[{k}] = {value}" for name, k, value in step.gives)
        gives += f"; set = set + {step.more}" if step.more else ""
        lines.append(f"    :: d_step {{ {needs} -> {gives} }}")
    return "\n".join([*lines, "    od", "}"]) + "\n"
