"""Symmetries that exchange names, for code that is too complicated to be followed as terms.

`name_sorts` has the proof. Candidates exchange two names of one sort, or of two sorts at once if a table leads from one
to the other. What they do to sorts that are only looked up in tables follows. Each is checked against all that was
written down of the sorts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from asset.analysis.symmetry.name_sorts import NameSorts, NotFollowed, Sort, TableFact, positions
from asset.analysis.watch import Watch
from asset.ir.groups import Permutation
from asset.ir.program import Family, Program
from asset.ir.requirements import Predicate

MOST_NAMES = 64
MOST_TRIES = 20_000

Renaming = Mapping[Sort, Mapping[int, int]]
"""By class: what names become, in its coordinates; those that are missing stay."""


def symmetries_by_names(
    program: Program, predicates: Iterable[Predicate], sets: Iterable[frozenset[int]], watch: Watch | None = None
) -> list[Permutation]:
    """Generators of a group of symmetries that keeps the predicates and the sets of commands."""
    sorts = NameSorts(program)
    try:
        _infer(sorts, program, predicates)
    except NotFollowed:
        return []
    return _Candidates(sorts, program, list(sets), watch or Watch()).found()


def _infer(sorts: NameSorts, program: Program, predicates: Iterable[Predicate]) -> None:
    for family in program.families:
        for slot, codes in enumerate(family.ranges):
            sorts.tests.append((sorts.slot(family.function, slot), frozenset(codes).__contains__))
    for function in dict.fromkeys(family.function for family in program.families):
        sorts.function(function)
    for predicate in predicates:
        if predicate.messages or program.functions[predicate.function].parameters:
            raise NotFollowed
        sorts.function(predicate.function)


class _Candidates:
    def __init__(self, sorts: NameSorts, program: Program, sets: list[frozenset[int]], watch: Watch) -> None:
        self._sorts = sorts
        self._program = program
        self._sets = sets
        self._watch = watch
        self._names = self._movable()
        self._told = {sorts.root(sort)[0] for sort, _ in (*sorts.constants, *sorts.tests)}
        self._tables = [self._rooted(table) for table in sorts.tables]

    def _movable(self) -> dict[Sort, list[int]]:
        """By class that is not rigid: the names that may be moved, which no constant is."""
        sorts, program = self._sorts, self._program
        found: dict[Sort, set[int]] = defaultdict(set)
        for variable, value, dims in zip(program.variables, sorts.values, sorts.dims, strict=True):
            ranges = [(dim, range(size)) for dim, size in zip(dims, variable.dims, strict=True)]
            if not sorts.is_rigid(value) and variable.type.hi - variable.type.lo < MOST_NAMES:
                root, shift = sorts.root(value)
                values = range(variable.type.lo, variable.type.hi + 1)
                found[root] |= {each + shift for each in values if each in variable.type}
            for dim, numbers in ranges:
                if not sorts.is_rigid(dim):
                    found[sorts.root(dim)[0]] |= {k + sorts.root(dim)[1] for k in numbers}
        for family in program.families:
            for slot, codes in enumerate(family.ranges):
                root, shift = sorts.root(sorts.slot(family.function, slot))
                if not sorts.is_rigid(root):
                    found[root] |= {code + shift for code in codes}
        for sort, value in sorts.constants:
            root, shift = sorts.root(sort)
            found[root].discard(value + shift)
        return {root: sorted(names) for root, names in found.items() if 1 < len(names) <= MOST_NAMES}

    def _rooted(self, table: TableFact) -> tuple[TableFact, tuple[tuple[Sort, int], ...], tuple[Sort, int]]:
        return table, tuple(map(self._sorts.root, table.indices)), self._sorts.root(table.result)

    # --- candidates -------------------------------------------------------------------------------------------------

    def found(self) -> list[Permutation]:
        """Names that exchanges have connected already are not tried again: they generate all orders of them."""
        verified: list[Permutation] = []
        place: dict[tuple[Sort, int], tuple[Sort, int]] = {}

        def of(point: tuple[Sort, int]) -> tuple[Sort, int]:
            while point in place:
                point = place[point]
            return point

        for number, candidate in enumerate(self._exchanges()):
            self._watch.tick()
            if number == MOST_TRIES:
                break
            ends = [(of((root, a)), of((root, b))) for root, (a, b) in candidate]
            if all(a == b for a, b in ends):
                continue
            permutation = self._verified({root: {a: b, b: a} for root, (a, b) in candidate})
            if permutation is not None:
                verified += [permutation] if permutation not in verified else []
                for a, b in ends:
                    if a != b:
                        place[a] = b
        return verified

    def _exchanges(self) -> Iterator[list[tuple[Sort, tuple[int, int]]]]:
        single = {root: list(combinations(names, 2)) for root, names in self._names.items()}
        for root, pairs in single.items():
            for pair in pairs:
                yield [(root, pair)]
        for a, b in combinations(single, 2):
            if self._linked(a, b):
                for one in single[a]:
                    for other in single[b]:
                        yield [(a, one), (b, other)]

    def _linked(self, a: Sort, b: Sort) -> bool:
        return any({a, b} <= {*(root for root, _ in indices), result[0]} for _, indices, result in self._tables)

    def _completed(self, renaming: Renaming) -> Renaming:
        """With what follows for sorts that are looked up in tables and nowhere said to stay."""
        found = dict(renaming)
        for root, names in self._names.items():
            if root in found:
                continue
            mine = [
                (table, indices[0][1], result)
                for table, indices, result in self._tables
                if len(indices) == 1 and indices[0][0] == root and (result[0] in found or self._is_told(result[0]))
            ]
            if any(result[0] in found for _, _, result in mine):
                found[root] = self._followed(names, mine, found)
        for table, indices, result in self._tables:
            if len(indices) == 1 and indices[0][0] in found and result[0] not in found:
                found[result[0]] = self._led_to(table, *indices, result[1], found)
        return found

    def _is_told(self, root: Sort) -> bool:
        """Whether something is known of the names but where they come from, so that they need not follow others."""
        return root in self._told or self._sorts.is_rigid(root)

    @staticmethod
    def _led_to(table: TableFact, index: tuple[Sort, int], shift: int, renaming: Renaming) -> dict[int, int]:
        """What a table leads to, where its indices are renamed: nothing, if that is no exchange of values."""
        images: dict[int, int] = {}
        for at, value in enumerate(table.values):
            image = _renamed(renaming, index[0], at + index[1]) - index[1]
            if 0 <= image < len(table.values):
                images[value + shift] = table.values[image] + shift
        return {a: b for a, b in images.items() if a != b} if images.keys() == set(images.values()) else {}

    @staticmethod
    def _followed(
        names: list[int], tables: list[tuple[TableFact, int, tuple[Sort, int]]], renaming: Renaming
    ) -> dict[int, int]:
        """The names with the values that the others are renamed to; nothing, if there are none or several."""

        def value(table: TableFact, at: int) -> int | None:
            return table.values[at] if 0 <= at < len(table.values) else None

        def renamed(v: int | None, result: tuple[Sort, int]) -> int | None:
            return v if v is None else renaming.get(result[0], {}).get(v + result[1], v + result[1]) - result[1]

        known: dict[tuple[int | None, ...], list[int]] = defaultdict(list)
        for name in names:
            known[tuple(value(table, name - shift) for table, shift, _ in tables)].append(name)
        images = {}
        for name in names:
            wanted = tuple(renamed(value(table, name - shift), result) for table, shift, result in tables)
            if len(known.get(wanted, ())) != 1:
                return {}
            images[name] = known[wanted][0]
        return {name: image for name, image in images.items() if name != image}

    # --- verification -----------------------------------------------------------------------------------------------

    def _verified(self, candidate: Renaming) -> Permutation | None:
        renaming = self._completed(candidate)
        if not self._keeps(renaming) or not all(self._commutes(renaming, *table) for table in self._tables):
            return None
        permutation = self._permutation(renaming)
        if permutation is None or any({permutation.commands[c] for c in each} != each for each in self._sets):
            return None
        return permutation

    def _keeps(self, renaming: Renaming) -> bool:
        """Whether constants stay, and tests say the same of each name and what it becomes."""
        sorts = self._sorts
        for sort, value in sorts.constants:
            root, shift = sorts.root(sort)
            if value + shift in renaming.get(root, ()):
                return False
        for sort, test in sorts.tests:
            root, shift = sorts.root(sort)
            if any(test(a - shift) != test(b - shift) for a, b in renaming.get(root, {}).items()):
                return False
        return all(not sorts.is_rigid(root) for root in renaming)

    @staticmethod
    def _commutes(
        renaming: Renaming, table: TableFact, indices: tuple[tuple[Sort, int], ...], result: tuple[Sort, int]
    ) -> bool:
        if not renaming.keys() & {result[0], *(root for root, _ in indices)}:
            return True
        for number, at in enumerate(positions(table.dims)):
            image = [_renamed(renaming, root, k + shift) - shift for k, (root, shift) in zip(at, indices, strict=True)]
            place = 0
            for k, size in zip(image, table.dims, strict=True):
                if not 0 <= k < size:
                    return False
                place = place * size + k
            if table.values[place] != _renamed(renaming, result[0], table.values[number] + result[1]) - result[1]:
                return False
        return True

    def _permutation(self, renaming: Renaming) -> Permutation | None:
        cells: list[int] = []
        values: dict[int, dict[int, int]] = {}
        for variable, offset, value, dims in zip(
            self._program.variables, self._program.offsets, self._sorts.values, self._sorts.dims, strict=True
        ):
            roots = [self._sorts.root(dim) for dim in dims]
            root, shift = self._sorts.root(value)
            moved = {a - shift: b - shift for a, b in renaming.get(root, {}).items() if a - shift in variable.type}
            for at in positions(variable.dims):
                place = 0
                for k, (r, s), size in zip(at, roots, variable.dims, strict=True):
                    place = place * size + _renamed(renaming, r, k + s) - s
                if moved:
                    values[len(cells)] = moved
                cells.append(offset + place)
        commands = [c for family in self._program.families for c in self._commands(family, renaming)]
        if sorted(cells) != list(range(len(cells))) or sorted(commands) != list(range(len(commands))):
            return None
        return Permutation(tuple(cells), tuple(commands), values)

    def _commands(self, family: Family, renaming: Renaming) -> Iterator[int]:
        numbers = {indices: family.first + k for k, indices in enumerate(family.indices())}
        roots = [self._sorts.root(self._sorts.slot(family.function, slot)) for slot in range(len(family.ranges))]
        for indices in family.indices():
            image = tuple(_renamed(renaming, r, k + s) - s for k, (r, s) in zip(indices, roots, strict=True))
            yield numbers.get(image, -1)


def _renamed(renaming: Renaming, root: Sort, name: int) -> int:
    return renaming.get(root, {}).get(name, name)
