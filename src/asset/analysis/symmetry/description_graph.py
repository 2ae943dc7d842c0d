"""A program as a coloured graph: its automorphisms are the candidates for symmetries.

Vertices are cells, the values of cells that may name components, terms, commands and what is asked for. An edge leads
from each to what it is made of, so an automorphism that keeps colours renames cells and values in all of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from asset.analysis.symmetry.described_program import DescribedProgram
from asset.analysis.symmetry.effects import Becomes, Effect
from asset.analysis.symmetry.terms import Term
from asset.analysis.values.domains import bits
from asset.analysis.values.linear import Linear
from asset.ir.groups import Permutation
from asset.ir.types import may_name


class DescriptionGraph:
    """The vertices' `colours`, as numbers, and the `edges`. `named` are the cells whose values may be renamed, but for
    those in the masks `kept`."""

    def __init__(self, described: DescribedProgram, kept: Mapping[int, int] | None = None) -> None:
        self.described = described
        self.terms = described.terms
        self.cells = described.cells
        self.edges: list[tuple[int, int]] = []
        self.kinds: list[object] = []
        self._made: dict[object, int] = {}
        self._cell_of: dict[int, int] = {}
        self._place_of: dict[int, int] = {}
        self._named_by: dict[int, int] = {}
        used = _used(described)
        used |= {self.cells.presence[cell].by for cell in used if cell in self.cells.presence}
        raw = {cell for effect in described.effects if effect for cell, _ in effect.values}
        self.named = {c for c in used if self._may_name(c) and c not in raw and c not in described.fixed}
        self.named -= self.cells.controlling
        for cell in sorted(used):
            self._cell(cell)
        for cell in sorted(used & self.cells.presence.keys()):
            by = self.cells.presence[cell].by
            controls = self._part(("controls", by), "controls", [self._made["cell", by]])
            self.edges.append((self._made["cell", cell], controls))
        self._commands()
        for number, prop in enumerate(described.kept):
            self._link(self._vertex(("property", number), ("property", number)), [prop.guard, prop.fault])
        self._tell_twins_apart()
        for cell in self.named:
            for k in bits((kept or {}).get(cell, 0)):
                self.kinds[self._made["fact", cell, k]] = ("fact", k)

    @property
    def colours(self) -> list[int]:
        numbers: dict[object, int] = {}
        return [numbers.setdefault(kind, len(numbers)) for kind in self.kinds]

    def permutation(self, images: Sequence[int]) -> Permutation:
        """What an automorphism makes of cells and values; commands are left open."""
        cells = list(range(len(self.cells.domains)))
        values = {}
        moved = [vertex for vertex, to in enumerate(images) if vertex != to]
        for vertex in moved:
            if vertex in self._cell_of:
                cells[self._cell_of[vertex]] = self._cell_of[images[vertex]]
        for cell in {self._named_by[vertex] for vertex in moved if vertex in self._named_by}:
            domain = self.cells.domains[cell] or ()
            places = [self._place_of[images[self._made["fact", cell, k]]] for k in range(len(domain))]
            changed = {v: domain[place] for v, place in zip(domain, places, strict=True)}
            if any(v != to for v, to in changed.items()):
                values[cell] = changed
        return Permutation(tuple(cells), (), values)

    def _may_name(self, cell: int) -> bool:
        """Names of components are integers, or elements of a domain that are all alike."""
        domain = self.cells.domains[cell]
        return domain is not None and len(domain) > 1 and may_name(self.cells.variables[cell].type)

    # --- vertices -----------------------------------------------------------------------------------------------

    def _vertex(self, name: object, kind: object) -> int:
        self._made[name] = len(self.kinds)
        self.kinds.append(kind)
        return self._made[name]

    def _cell(self, cell: int) -> None:
        fixed = cell if cell in self.described.fixed else None
        known = self.cells.presence.get(cell)
        kind = ("cell", self.cells.variables[cell].type, fixed, None if known is None else known.mask)
        vertex = self._vertex(("cell", cell), kind)
        self._cell_of[vertex] = cell
        for k in range(len(self.cells.domains[cell] or ())) if cell in self.named else ():
            absent = known is not None and known.absent == 1 << k
            fact = self._vertex(("fact", cell, k), "absent" if absent else "fact")
            self._place_of[fact] = k
            self._named_by[fact] = cell
            self.edges.append((vertex, fact))

    def _part(self, key: tuple[object, ...], kind: object, parts: Iterable[int]) -> int:
        """A vertex that is made of others; the same for the same key."""
        if key not in self._made:
            vertex = self._vertex(key, kind)
            self.edges += ((vertex, part) for part in dict.fromkeys(parts))
        return self._made[key]

    def _link(self, vertex: int, terms: Sequence[Term]) -> None:
        """Ordered parts."""
        for position, term in enumerate(terms):
            self.edges.append((vertex, self._part(("at", position, term), ("at", position), [self._term(term)])))

    def _values(self, cell: int, mask: int, role: str) -> int:
        """A set of values of a cell."""
        if cell not in self.named:
            return self._part((role, cell, mask), (role, mask), [self._made["cell", cell]])
        return self._part((role, cell, mask), role, [self._made["fact", cell, k] for k in bits(mask)])

    def _term(self, term: Term) -> int:
        key = self.terms.keys[term]
        if ("term", term) in self._made:
            return self._made["term", term]
        match key:
            case ("in", int(cell), int(mask)):
                return self._values(cell, mask, "in")
            case ("sum", Linear(constant, terms), tuple(atoms)):
                parts = [self._function(cell, weights) for cell, weights in terms]
                parts += [self._part(("times", a, k), ("times", k), [self._term(a)]) for a, k in atoms]
                return self._part(("term", term), ("sum", constant), parts)
            case ("op", name, ordered, tuple(operands)):
                if not ordered:
                    return self._part(("term", term), ("op", name), map(self._term, operands))
                vertex = self._part(("term", term), ("op", name), ())
                self._link(vertex, operands)
                return vertex
            case ("cases", tuple(pairs)):
                return self._part(("term", term), "cases", [self._case(c, x) for c, x in pairs])
            case ("wide", int(cell)):
                return self._part(("term", term), "wide", [self._made["cell", cell]])
            case ("positive", int(number)):
                return self._part(("term", term), "positive", [self._term(number)])
            case (kind, tuple(parts)):
                return self._part(("term", term), kind, map(self._term, parts))
        return self._part(("term", term), key, ())

    def _case(self, condition: Term, number: Term) -> int:
        when = self._part(("when", condition), "when", [self._term(condition)])
        return self._part(("case", condition, number), "case", [when, self._term(number)])

    def _function(self, cell: int, weights: tuple[int, ...]) -> int:
        if cell not in self.named:
            return self._part(("of", cell, weights), ("of", weights), [self._made["cell", cell]])
        masks: dict[int, int] = defaultdict(int)
        for k, w in enumerate(weights):
            masks[w] |= 1 << k
        parts = [self._part(("weight", cell, w, m), ("weight", w), self._facts(cell, m)) for w, m in masks.items()]
        return self._part(("of", cell, weights), "of", parts)

    def _facts(self, cell: int, mask: int) -> list[int]:
        return [self._made["fact", cell, k] for k in bits(mask)]

    # --- commands -----------------------------------------------------------------------------------------------

    def _commands(self) -> None:
        """One vertex for all commands that do the same: exchanging them changes no state."""
        counts: dict[Effect, int] = defaultdict(int)
        for effect in self.described.effects:
            if effect is not None:
                counts[effect] += 1
        for number, (effect, count) in enumerate(counts.items()):
            vertex = self._vertex(("command", number), ("command", count, effect.roles))
            self._link(vertex, [effect.guard, effect.fault])
            for cell, listed in effect.becomes:
                self.edges.append((vertex, self._update(cell, listed)))
            for cell, term in effect.values:
                parts = [self._made["cell", cell], self._term(term)]
                self.edges.append((vertex, self._part(("value", cell, term), "value", parts)))

    def _update(self, cell: int, listed: Becomes) -> int:
        parts = [self._made["cell", cell]]
        for condition, place in listed:
            when = self._part(("when", condition), "when", [self._term(condition)])
            to = self._values(cell, 1 << place, "to")
            parts.append(self._part(("becomes", cell, condition, place), "becomes", [when, to]))
        return self._part(("update", cell, listed), "update", parts)

    def _tell_twins_apart(self) -> None:
        """Values of a cell that nothing tells apart stay as they are: exchanging them would be of no use."""
        into: dict[int, list[int]] = defaultdict(list)
        for source, target in self.edges:
            into[target].append(source)
        for cell in self.named:
            alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
            for k in range(len(self.cells.domains[cell] or ())):
                alike[tuple(sorted(into[self._made["fact", cell, k]]))].append(k)
            for twins in alike.values():
                for k in twins if len(twins) > 1 else ():
                    self.kinds[self._made["fact", cell, k]] = ("fact", k)


def _used(described: DescribedProgram) -> set[int]:
    """The cells that any command or property speaks of; exchanging others would be of no use."""
    support = 0
    for effect in described.effects:
        support |= 0 if effect is None else described.support(effect)
    for prop in described.kept:
        support |= described.terms.support(prop.guard) | described.terms.support(prop.fault)
    return described.fixed | set(bits(support))
