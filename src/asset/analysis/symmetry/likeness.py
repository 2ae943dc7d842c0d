"""Components that look alike: whether they are, and if not, by which line of the model.

Components are numbered by an index of transitions: `@transition(i="n")` makes n of them. Component k is the k-th
element of each array of n elements, and value k of each variable that names components. Exchanging two, or shifting all
by one, is tried as a symmetry. If it is none, the tests and assignments of a command are compared with those of the
command that it should become, line by line: the first line that differs tells them apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product

from asset.analysis.symmetry.described_program import DescribedProgram, is_symmetry
from asset.analysis.symmetry.merged_values import Traced
from asset.analysis.symmetry.summaries import Summarizer
from asset.analysis.symmetry.term_image import TermImage
from asset.analysis.symmetry.terms import Beyond, Term
from asset.analysis.watch import OutOfTime, Watch
from asset.ir.groups import Permutation
from asset.ir.program import Family, Program
from asset.ir.requirements import Predicate
from asset.ir.types import IntType
from asset.span import Span

MOST_NAMING = 3
"""Variables that may name components; with more, only all or none of them are tried."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What tells components apart: a transition that does not become `becomes`, or a property; and the place in it."""

    subject: str
    becomes: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Likeness:
    """`size` components: these arrays, and these variables that name them. Without an obstacle they can be put in any
    order; `rotates` says that they can be shifted round in any case."""

    size: int
    indices: tuple[str, ...]
    arrays: tuple[str, ...]
    naming: tuple[str, ...]
    rotates: bool
    obstacle: Obstacle | None


def likenesses(described: DescribedProgram, watch: Watch | None = None) -> Iterator[Likeness]:
    """One for each number of components that transitions have an index for. If the time is over, the obstacles that are
    left are told by the transitions alone, not by lines of them."""
    program, tracer = described.program, _Tracer(described, watch or Watch())
    sizes = dict.fromkeys(len(r) for family in program.families for r in family.ranges if _counts(r))
    for size in sizes:
        trial = _Trial(described, size, tracer)
        arrays = tuple(v.name for k, v in enumerate(program.variables) if size in v.dims and k not in trial.ordered)
        if arrays:
            yield trial.likeness(arrays)


def _counts(values: Sequence[int]) -> bool:
    return len(values) > 1 and tuple(values) == tuple(range(len(values)))


class _Tracer:
    """The tests and assignments of commands and predicates, each worked out once."""

    def __init__(self, described: DescribedProgram, watch: Watch) -> None:
        self._summarizer = Summarizer(described.program, described.terms, watch)
        self._known: dict[object, Traced | None] = {}

    def command(self, family: Family, indices: tuple[int, ...]) -> Traced | None:
        """None if that cannot be followed."""
        return self._traced((family.first, indices), partial(self._summarizer.traced_command, family, indices))

    def predicate(self, predicate: Predicate) -> Traced | None:
        return self._traced(predicate, partial(self._summarizer.traced_predicate, predicate))

    def _traced(self, key: object, trace: Callable[[], Traced]) -> Traced | None:
        if key not in self._known:
            try:
                self._known[key] = trace()
            except (Beyond, RecursionError, OutOfTime):
                self._known[key] = None
        return self._known[key]


class _Trial:
    def __init__(self, described: DescribedProgram, size: int, tracer: _Tracer) -> None:
        self.described = described
        self.program: Program = described.program
        self.size = size
        self.tracer = tracer
        self.ordered = self._ordered()

    def _ordered(self) -> set[int]:
        """The variables whose elements have an order: the places of a queue are in use one after the other."""
        found, program = set[int](), self.program
        for number, (variable, first) in enumerate(zip(program.variables, program.offsets, strict=True)):
            known = [self.described.cells.presence.get(first + k) for k in range(variable.cells)]
            masks = {
                each.by: {other.mask for other in known if other and other.by == each.by} for each in known if each
            }
            if any(len(each) > 1 for each in masks.values()):
                found.add(number)
        return found

    def likeness(self, arrays: tuple[str, ...]) -> Likeness:
        rotation = [(k + 1) % self.size for k in range(self.size)]
        exchanges = [self._exchange(k) for k in range(self.size - 1)]
        found = [self._symmetry(order) for order in exchanges]
        turned = self._symmetry(rotation)
        families = tuple(f.name for f in self.program.families if any(len(r) == self.size for r in f.ranges))
        if None not in found:
            return Likeness(self.size, families, arrays, found[0] or (), True, None)
        failed = exchanges[found.index(None)]
        tried = [failed] if turned is not None else [rotation, failed]
        obstacles = [self._obstacles(order, naming) for order in tried for naming in self._naming_options()]
        least = min(obstacles, key=len)
        return Likeness(self.size, families, arrays, turned or (), turned is not None, next(iter(least.values())))

    def _exchange(self, k: int) -> list[int]:
        order = list(range(self.size))
        order[k], order[k + 1] = k + 1, k
        return order

    def _symmetry(self, order: list[int]) -> tuple[str, ...] | None:
        """The variables that name components, if the new order of components is a symmetry."""
        for naming in self._naming_options():
            if is_symmetry(self.described, self._permutation(order, naming)) is not None:
                return naming
        return None

    def _naming_options(self) -> list[tuple[str, ...]]:
        """Which variables might name components: all that can first, since then most is explained."""
        cells = self.described.cells
        controlling = {cells.variables[cell].name for cell in cells.controlling}
        integers = [v for v in self.program.variables if isinstance(v.type, IntType) and v.name not in controlling]
        able = [v.name for v in integers if isinstance(v.type, IntType) and self._may_name(v.type)]
        if len(able) > MOST_NAMING:
            return [tuple(able), ()]
        return [names for k in range(len(able), -1, -1) for names in combinations(able, k)]

    def _may_name(self, kind: IntType) -> bool:
        return kind.lo <= 0 and self.size - 1 <= kind.hi <= self.size

    def _permutation(self, order: list[int], naming: tuple[str, ...]) -> Permutation:
        cells, values = list[int](), dict[int, dict[int, int]]()
        for number, (variable, offset) in enumerate(zip(self.program.variables, self.program.offsets, strict=True)):
            moved = number not in self.ordered
            for indices in product(*map(range, variable.dims)):
                at = 0
                for size, index in zip(variable.dims, indices, strict=True):
                    at = at * size + (order[index] if moved and size == self.size else index)
                if variable.name in naming:
                    values[len(cells)] = dict(enumerate(order))
                cells.append(offset + at)
        return Permutation(tuple(cells), (), values)

    # --- what tells them apart ----------------------------------------------------------------------------------

    def _obstacles(self, order: list[int], naming: tuple[str, ...]) -> dict[Span, Obstacle]:
        """What tells components apart in this order, the first of its kind for each place; at least one."""
        image = TermImage(self.described.terms, self._permutation(order, naming))
        found: dict[Span, Obstacle] = {}
        for family in self.program.families:
            for indices in family.indices():
                renamed = self._renamed(family, indices, order)
                span = self._difference(family, indices, renamed, image)
                if span is not None:
                    found.setdefault(span, Obstacle(_named(family, indices), _named(family, renamed), span))
        for predicate in self.described.predicates:
            traced = self.tracer.predicate(predicate)
            span = predicate.span if traced is None else _first_difference(traced, traced, image)
            if span is not None:
                found.setdefault(span, Obstacle(predicate.name, None, span))
        if not found:  # what differs is neither a comparison nor an assignment
            family = self.program.families[0]
            found[family.span] = Obstacle(family.name, None, family.span)
        return found

    def _renamed(self, family: Family, indices: tuple[int, ...], order: list[int]) -> tuple[int, ...]:
        ranges = zip(indices, family.ranges, strict=True)
        return tuple(order[index] if len(r) == self.size and _counts(r) else index for index, r in ranges)

    def _difference(
        self, family: Family, indices: tuple[int, ...], renamed: tuple[int, ...], image: TermImage
    ) -> Span | None:
        one, other = self.tracer.command(family, indices), self.tracer.command(family, renamed)
        return family.span if one is None or other is None else _first_difference(one, other, image)


def _named(family: Family, indices: tuple[int, ...]) -> str:
    return f"{family.name}({', '.join(map(str, indices))})" if indices else family.name


def _first_difference(one: Traced, other: Traced, image: TermImage) -> Span | None:
    """The first place whose tests and assignments, renamed, are not those of the other."""
    mine, theirs = _by_place(one), _by_place(other)
    for place, parts in mine.items():
        renamed: Counter[tuple[int | None, Term | None]] = Counter()
        for (cell, term), count in parts.items():
            to = None if cell is None else image.permutation.cells[cell]
            renamed[to, _renamed(image, cell, term)] += count
        if renamed != theirs.get(place, Counter()):
            return place
    return None


def _by_place(traced: Traced) -> Mapping[Span, Counter[tuple[int | None, Term]]]:
    found: dict[Span, Counter[tuple[int | None, Term]]] = {}
    for span, cell, term in traced:
        found.setdefault(span, Counter())[cell, term] += 1
    return found


def _renamed(image: TermImage, cell: int | None, term: Term) -> Term | None:
    """A test renamed; or what is assigned to a cell, whose values may be renamed."""
    if cell is None or cell not in image.permutation.values:
        return image.of(term)
    known = image.terms.known(term)
    if known is None:
        return image.of(term)
    return image.terms.constant(image.permutation.value(cell, known))
