"""The declaration of state variables, while `state()` runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from asset.model.places import user_span
from asset.model.state import Array, Domain, Int, Template, rejected, template
from asset.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Declared:
    """A state variable: its shape, and its first cell."""

    name: str
    shape: Template
    offset: int
    span: Span

    @property
    def domain(self) -> Domain:
        return self.shape.domain


@dataclass(slots=True)
class Declaring:
    """State variables while `state()` runs: each still has cells of its own."""

    arrays: dict[str, Array] = field(default_factory=dict)
    scalars: dict[str, list[int]] = field(default_factory=dict)
    shapes: dict[str, Template] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)

    def declare(self, name: str, value: object) -> None:
        shape = template(value, f"self.{name}")
        self.shapes[name] = shape
        self.spans[name] = user_span() or NOWHERE
        if not isinstance(value, Array):
            self.scalars[name] = list(shape.cells)
            return
        other = next((n for n, array in self.arrays.items() if array is value), None)
        if other is not None:
            raise rejected(f"self.{name} and self.{other} are the same Array", "make an Array for each of them")
        self.arrays[name] = value.named(name)

    def read(self, name: str) -> Any:
        if name in self.arrays:
            return self.arrays[name]
        return self.shapes[name].domain.decode(self.scalars[name][0])

    def assign(self, name: str, value: object) -> None:
        if isinstance(value, Int | Array) or name in self.arrays:
            raise rejected(f"self.{name} is declared twice", "declare each state variable once")
        self.scalars[name][0] = self.shapes[name].domain.encode(value, name)

    def finish(self) -> tuple[dict[str, Declared], list[int]]:
        """The variables in the order of declaration, and all their cells."""
        variables: dict[str, Declared] = {}
        cells: list[int] = []
        for name, shape in self.shapes.items():
            variables[name] = Declared(name, shape, len(cells), self.spans[name])
            cells += self.arrays[name].template.cells if name in self.arrays else self.scalars[name]
        return variables, cells
