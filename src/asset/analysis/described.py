"""A program as a coloured graph: its automorphisms are the candidates for symmetries.

Vertices are cells, the values of cells that may name components, terms, commands and what is asked for. An edge leads
from each to what it is made of, so an automorphism that keeps colours renames cells and values in all of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from asset.analysis.cells import Cells, bits
from asset.analysis.summaries import Summarizer, Summary
from asset.analysis.terms import Beyond, Image, Term, Terms
from asset.ir import nodes as n
from asset.ir.program import Program
from asset.ir.symmetric import Permutation
from asset.ir.types import IntType

KEPT = -1
"""Instead of a value that a cell becomes: it stays as it is."""

Becomes = frozenset[tuple[Term, int]]
"""Conditions, and the place in the domain of the value that the cell becomes where each holds; or KEPT."""


@dataclass(frozen=True)
class Effect:
    """What a command does. `values` are numbers that cells become whose values cannot be listed."""

    guard: Term
    fault: Term
    becomes: frozenset[tuple[int, Becomes]]
    values: frozenset[tuple[int, Term]]
    roles: frozenset[tuple[int, bool]]
    """In which recurrences, by number, the command is: as what occurs again, or as what must occur then."""

    @property
    def terms(self) -> Iterator[Term]:
        yield self.guard
        yield self.fault
        yield from (condition for _, listed in self.becomes for condition, _ in listed)
        yield from (number for _, number in self.values)


@dataclass
class Described:
    """Commands, and the properties asked for, as terms. Of commands and properties that cannot be followed there is
    instead which cells they touch."""

    program: Program
    terms: Terms
    effects: list[Effect | None]
    properties: dict[int, Summary | set[int]]
    unfollowed: dict[int, set[int]] = field(default_factory=dict)
    """Commands without an effect."""
    _supports: dict[Effect, int] = field(default_factory=dict)

    @property
    def cells(self) -> Cells:
        return self.terms.cells

    @cached_property
    def fixed(self) -> set[int]:
        """The cells that no symmetry moves."""
        touching = [cells for cells in self.properties.values() if isinstance(cells, set)]
        return set().union(*self.unfollowed.values(), *touching)

    @property
    def kept(self) -> Iterator[Summary]:
        """The properties that were followed."""
        return (prop for prop in self.properties.values() if isinstance(prop, Summary))

    def asking(self, properties: Iterable[int]) -> Described:
        """The same with these of the properties only."""
        return replace(self, properties={number: self.properties[number] for number in properties})

    def support(self, effect: Effect) -> int:
        """The cells that the effect speaks of, as a set of bits."""
        if effect not in self._supports:
            found = 0
            for term in effect.terms:
                found |= self.terms.support(term)
            for cell, _ in (*effect.becomes, *effect.values):
                found |= 1 << cell
            self._supports[effect] = found
        return self._supports[effect]


def describe(program: Program, asked: Iterable[int], recurrences: int) -> Described:
    """The program with the properties asked for, given by their numbers, and recurrences, given by a set of bits."""
    cells = Cells(program)
    terms = Terms(cells)
    summarizer = Summarizer(program, terms)
    described = Described(program, terms, [], {})
    for command, (family, indices) in enumerate(program.commands):
        roles = _roles(program, command, recurrences)
        try:
            summary = summarizer.command(family, indices)
            described.effects.append(_effect(terms, summary, roles))
        except (Beyond, RecursionError):
            described.effects.append(None)
            described.unfollowed[command] = touched(program, family.function)
    for number in asked:
        prop = program.properties[number]
        try:
            described.properties[number] = summarizer.property(prop)
        except (Beyond, RecursionError):
            described.properties[number] = touched(program, prop.function)
    return described


def _roles(program: Program, command: int, recurrences: int) -> frozenset[tuple[int, bool]]:
    asked = [(k, r) for k, r in enumerate(program.recurrences) if recurrences >> k & 1]
    again = {(k, True) for k, r in asked if command in r.again}
    return frozenset(again | {(k, False) for k, r in asked if command in r.then})


def touched(program: Program, function: int) -> set[int]:
    """The cells of all variables that the function reads or assigns to, in what it calls too."""
    called, pending, variables = {function}, [function], set()
    while pending:
        for part in n.walk(*program.functions[pending.pop()].body):
            if isinstance(part, n.Read | n.SetState):
                variables.add(part.variable)
            elif isinstance(part, n.Call) and part.function not in called:
                called.add(part.function)
                pending.append(part.function)
    return {program.offsets[v] + k for v in variables for k in range(program.variables[v].cells)}


def _effect(terms: Terms, summary: Summary, roles: frozenset[tuple[int, bool]]) -> Effect:
    becomes, values = [], []
    for cell, number in summary.updates.items():
        listed = _listed(terms, cell, number)
        if listed is None:
            values.append((cell, number))
        else:
            becomes.append((cell, listed))
    return Effect(summary.guard, summary.fault, frozenset(becomes), frozenset(values), roles)


def _listed(terms: Terms, cell: int, number: Term) -> Becomes | None:
    """The number as values of the cell, each with its condition; None where they cannot be listed."""
    if terms.cells.domains[cell] is None:
        return None
    found: dict[int, Term] = {}
    for condition, leaf in terms.cases_of(number):
        for inner, value in _outcomes(terms, cell, leaf):
            if value is None:
                return None
            found[value] = terms.either(found.get(value, terms.false), terms.both(condition, inner))
    return frozenset((condition, value) for value, condition in found.items() if condition != terms.false)


def _outcomes(terms: Terms, cell: int, number: Term) -> list[tuple[Term, int | None]]:
    """Conditions and places; a value that is none of the cell's is a model error, so it does not matter."""
    place, known, source = terms.cells.index, terms.known(number), terms.only_cell(number)
    if number == terms.value_of(cell):
        return [(terms.true, KEPT)]
    if known is not None:
        at = place(cell, known)
        return [] if at is None else [(terms.true, at)]
    condition = terms.as_condition(number)
    if condition is not None:
        options = [(condition, place(cell, 1)), (terms.negation(condition), place(cell, 0))]
        return [(c, at) for c, at in options if at is not None]
    if source is None:
        return [(terms.true, None)]
    masks: dict[int, int] = defaultdict(int)
    for k, value in enumerate(terms.results(number)):
        at = place(cell, value)
        if at is not None:
            masks[at] |= 1 << k
    return [(terms.within(source, mask), at) for at, mask in masks.items()]


# --- renamed -------------------------------------------------------------------------------------------------------


def is_symmetry(described: Described, permutation: Permutation) -> Permutation | None:
    """The permutation with what it makes of commands, where it is a symmetry; None where that was not shown.

    Each command, renamed, is a command; each property asked for stays itself. What could not be followed touches only
    cells that stay.
    """
    image = Image(described.terms, permutation)
    if any(permutation.cells[c] != c or c in permutation.values for c in described.fixed):
        return None
    for prop in described.kept:
        if image.of(prop.guard) != prop.guard or image.of(prop.fault) != prop.fault:
            return None
    commands = _renamed_commands(described, image)
    return None if commands is None else Permutation(permutation.cells, commands, permutation.values)


def _renamed_commands(described: Described, image: Image) -> tuple[int, ...] | None:
    free: dict[Effect, list[int]] = defaultdict(list)
    for command, effect in reversed(list(enumerate(described.effects))):
        if effect is not None:
            free[effect].append(command)
    commands = []
    for command, effect in enumerate(described.effects):
        renamed = None if effect is None else _renamed(described, image, effect)
        if effect is None:
            commands.append(command)
        elif renamed is None or not free.get(renamed):
            return None
        else:
            commands.append(free[renamed].pop())
    return tuple(commands)


def _renamed(described: Described, image: Image, effect: Effect) -> Effect | None:
    cells = image.permutation.cells
    if not described.support(effect) & image.moved:
        return effect
    guard, fault = image.of(effect.guard), image.of(effect.fault)
    if guard is None or fault is None or any(c in image.permutation.values for c, _ in effect.values):
        return None
    becomes = []
    for cell, listed in effect.becomes:
        renamed = frozenset((image.of(c), _place(image, cell, at)) for c, at in listed)
        if any(c is None for c, _ in renamed):
            return None
        becomes.append((cells[cell], renamed))
    values = frozenset((cells[c], image.of(number)) for c, number in effect.values)
    if any(number is None for _, number in values):
        return None
    return Effect(guard, fault, frozenset(becomes), values, effect.roles)  # type: ignore[arg-type]


def _place(image: Image, cell: int, place: int) -> int:
    return KEPT if place == KEPT else image.mask(cell, 1 << place).bit_length() - 1


# --- the graph -----------------------------------------------------------------------------------------------------


class DescriptionGraph:
    """The vertices' colours, as numbers, and the edges. `facts` are the vertices of values that may be renamed."""

    def __init__(self, described: Described) -> None:
        self.described = described
        self.terms = described.terms
        self.cells = described.cells
        self.edges: list[tuple[int, int]] = []
        self.kinds: list[object] = []
        self._made: dict[object, int] = {}
        used = _used(described)
        self.moving = sorted(used - described.fixed)
        raw = {cell for effect in described.effects if effect for cell, _ in effect.values}
        self.named = {c for c in used if self._may_name(c) and c not in raw and c not in described.fixed}
        for cell in sorted(used):
            self._cell(cell)
        self._commands()
        for number, prop in enumerate(described.kept):
            self._link(self._vertex(("property", number), ("property", number)), [prop.guard, prop.fault])
        self._tell_twins_apart()

    @property
    def colours(self) -> list[int]:
        numbers: dict[object, int] = {}
        return [numbers.setdefault(kind, len(numbers)) for kind in self.kinds]

    def permutation(self, images: Sequence[int]) -> Permutation:
        """What an automorphism makes of cells and values; commands are left open."""
        cells = list(range(len(self.cells.domains)))
        values = {}
        for cell in self.moving:
            (_, cells[cell]) = self._name[images[self._made["cell", cell]]]
        for cell in self.named:
            domain = self.cells.domains[cell] or ()
            moved = {v: domain[self._name[images[self._made["fact", cell, k]]][2]] for k, v in enumerate(domain)}
            if any(v != to for v, to in moved.items()):
                values[cell] = moved
        return Permutation(tuple(cells), (), values)

    @property
    def _name(self) -> list[tuple[str, ...]]:
        if not hasattr(self, "_names"):
            self._names = sorted(self._made, key=self._made.__getitem__)
        return self._names  # type: ignore[return-value]

    def _may_name(self, cell: int) -> bool:
        """Names of components are integers; the values of an enumeration have names of their own."""
        domain = self.cells.domains[cell]
        return domain is not None and len(domain) > 1 and isinstance(self.cells.variables[cell].type, IntType)

    # --- vertices -----------------------------------------------------------------------------------------------

    def _vertex(self, name: object, kind: object) -> int:
        self._made[name] = len(self.kinds)
        self.kinds.append(kind)
        return self._made[name]

    def _cell(self, cell: int) -> None:
        fixed = cell if cell in self.described.fixed else None
        vertex = self._vertex(("cell", cell), ("cell", self.cells.variables[cell].type, fixed))
        if cell in self.named:
            for k in range(len(self.cells.domains[cell] or ())):
                self.edges.append((vertex, self._vertex(("fact", cell, k), "fact")))

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
            case ("sum", constant, tuple(cells), tuple(atoms)):
                parts = [self._function(cell, weights) for cell, weights in cells]
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
            to = [] if place == KEPT else [self._values(cell, 1 << place, "to")]
            kind = "kept" if place == KEPT else "becomes"
            parts.append(self._part(("becomes", cell, condition, place), kind, [when, *to]))
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


def _used(described: Described) -> set[int]:
    """The cells that any command or property speaks of; exchanging others would be of no use."""
    support = 0
    for effect in described.effects:
        support |= 0 if effect is None else described.support(effect)
    for prop in described.kept:
        support |= described.terms.support(prop.guard) | described.terms.support(prop.fault)
    return described.fixed | set(bits(support))
