"""The declaration of state variables, while `state()` runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from asset.errors import ModelRejected
from asset.ir.program import Owner
from asset.ir.shapes import Leaf, Shape, leaves
from asset.model.heaps import Misreferred, heaps_of, reject_inner_heaps, resolved
from asset.model.spans import user_span
from asset.model.state import Declaration, article, rejected, template
from asset.model.synchronous import Synchronous
from asset.model.value_cells import Place, detached
from asset.model.views import View, assign, value_of
from asset.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class StateVariable:
    """A state variable: its shape, its first leaf and its first cell."""

    name: str
    shape: Shape
    leaf: int
    offset: int
    span: Span
    owner: Owner | None = None

    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(leaf.within(self.name) for leaf in leaves(self.shape))


def _has_declarations(value: object) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(v, Declaration) or _has_declarations(v) for v in value)


@dataclass(slots=True)
class Declaring:
    """State variables while `state()` runs: each still has cells of its own."""

    shapes: dict[str, Shape] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    owners: dict[str, Owner] = field(default_factory=dict)
    synchronous: dict[str, Synchronous] = field(default_factory=dict)
    """Channels that hold nothing, so that they are no state."""

    def declare(self, name: str, value: object) -> None:
        if isinstance(value, Synchronous):
            self.synchronous[name] = value
            return
        declared = template(value, f"self.{name}")
        reject_inner_heaps(name, declared.shape)
        place = detached(declared.shape, declared.cells, name)
        if isinstance(value, View) and hasattr(value, "_place"):
            self._reject_shared(name, value)
            place.cells, place.home = value._place.cells, value._place.home
            value._place = place
        self.shapes[name] = declared.shape
        self.spans[name] = user_span() or NOWHERE
        self.places[name] = place

    def _reject_shared(self, name: str, value: View) -> None:
        other = next((n for n, place in self.places.items() if place.cells is value._place.cells), None)
        if other is not None:
            kind = type(value).__name__
            raise rejected(
                f"self.{name} and self.{other} are the same {kind}", f"make {article(kind)} for each of them"
            )

    def read(self, name: str) -> Any:
        return value_of(self.places[name])

    def assign(self, name: str, value: object) -> None:
        declares = isinstance(value, Declaration) and (not isinstance(value, View) or hasattr(value, "_place"))
        again = isinstance(value, View) and hasattr(value, "_place") and value._place.cells is self.places[name].cells
        if (declares and not again) or _has_declarations(value):
            raise rejected(f"self.{name} is declared twice", "declare each state variable once")
        assign(self.places[name], value)

    def finish(self) -> tuple[dict[str, StateVariable], list[int]]:
        """The variables in the order of declaration, and all their cells."""
        firsts, leaf = dict[str, int](), 0
        for name, shape in self.shapes.items():
            firsts[name] = leaf
            leaf += len(leaves(shape))
        variables: dict[str, StateVariable] = {}
        cells: list[int] = []
        for name, shape in self._resolved(firsts).items():
            owner = self.owners.get(name)
            variables[name] = StateVariable(name, shape, firsts[name], len(cells), self.spans[name], owner)
            cells += self.places[name].snapshot()
        return variables, cells

    def _resolved(self, firsts: dict[str, int]) -> dict[str, Shape]:
        """The shapes with references that know their heaps."""
        try:
            heaps = heaps_of(self.shapes, firsts)
            return {name: resolved(name, shape, heaps) for name, shape in self.shapes.items()}
        except Misreferred as wrong:
            raise ModelRejected.of(wrong.message, self.spans[wrong.variable], wrong.remedy) from None
