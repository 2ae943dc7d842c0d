"""Conditions as all their prime implicants: the same for equal functions, in whatever order they were worked out.

A loop that looks at one message after the other, and keeps the best so far, makes conditions that are nested in the
order of the messages, though what comes out does not depend on it. The set of prime implicants (Blake's canonical form)
has no order, and renaming cells and values renames it. They are read off a decision diagram, those of the condition or
those of its negation, whichever are fewer; if both are too many, the condition stays as it is.

Whether a cell is in use is said by another one, so there are combinations of values that no state has. A condition is
first made to hold of all of these: so what it is depends on states only. Implicants of such combinations alone are left
out, and the others are narrowed to the values that states have.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, starmap

from asset.analysis.symmetry.decision_diagrams import END, Diagrams, Node, TooMuch, implied
from asset.analysis.symmetry.terms import Beyond, Term, Terms, parts_of
from asset.analysis.watch import Watch

MOST_CUBES = 128
"""Of a condition, and of what is met on the way to it."""

MOST_OF_COUNTS = 24
"""Of a comparison of a plain sum, as counts are: those that have more stay comparisons."""

WORK_FOR_ONE = 10_000
"""Nodes and cubes that are looked at, for one condition."""

MOST_WORK = 1_000_000
"""For a program as a whole: some seconds."""

Cube = frozenset[tuple[int, int]]
"""Levels of the diagrams, and the masks that the answers are in; what is not in it may be anything."""


class PrimeImplicants:
    """Conditions in canonical form, each found once."""

    def __init__(self, terms: Terms, watch: Watch) -> None:
        self.terms = terms
        self.watch = watch
        self.diagrams = Diagrams(terms)
        self._known: dict[Term, Term] = {}
        self._considered: set[Term] = set()

    def condition(self, condition: Term) -> Term:
        """Raises OutOfTime if there is no time for it."""
        if condition not in self._known:
            self._known[condition] = condition if self._is_plain(condition) else self._canonical(condition)
        return self._known[condition]

    def _is_plain(self, condition: Term) -> bool:
        """Whether it says which values one cell has, or each of some cells, or one of these: there is no other way to
        say that."""
        t, key = self.terms, self.terms.keys[condition]
        if t.kind(condition) in ("true", "false"):
            return True
        parts = parts_of(key) if t.kind(condition) in ("and", "or") else (condition,)
        cells = [t.keys[part][1] for part in parts if t.kind(part) == "in"]
        return len(cells) == len(parts) and not any(c in t.presence or c in t.cells.controlling for c in cells)

    def _canonical(self, condition: Term) -> Term:
        """As a whole if that is possible; else part by part, and then with comparisons that are not looked into."""
        whole = self._whole(condition, closed=False)
        if whole is not None:
            return whole
        t, rejoined = self.terms, condition
        if t.kind(condition) in ("and", "or"):
            join = t.both if t.kind(condition) == "and" else t.either
            rejoined = join(*map(self.condition, parts_of(t.keys[condition])))
        compares = self._look_into(rejoined)
        whole = self._whole(rejoined, closed=True) if compares or rejoined != condition else None
        return rejoined if whole is None else whole

    def _whole(self, condition: Term, closed: bool) -> Term | None:
        """The condition by its prime implicants, unless they are too many."""
        self._allow()
        try:
            return self._of_node(self.diagrams.of(condition, closed))
        except (TooMuch, RecursionError, Beyond):
            return None

    def _allow(self) -> None:
        self.watch.tick()
        self.diagrams.allowed = min(MOST_WORK, self.diagrams.work + WORK_FOR_ONE)

    def _look_into(self, condition: Term) -> bool:
        """Closes the comparisons of sums in it that have too many prime implicants to be told by them. Whether there
        are comparisons in it."""
        seen, pending, compares = {condition}, [condition], False
        while pending:
            term = pending.pop()
            if self.terms.kind(term) in ("positive", "zero", "nonzero"):
                compares = True
                self._consider(term)
                continue
            new = set(parts_of(self.terms.keys[term])) - seen
            seen |= new
            pending += sorted(new)
        return compares

    def _consider(self, comparison: Term) -> None:
        if comparison not in self._considered:
            self._considered.add(comparison)
            if not self._has_few(comparison):
                self.diagrams.close(comparison)

    def _has_few(self, comparison: Term) -> bool:
        t, (total, *_) = self.terms, parts_of(self.terms.keys[comparison])
        self._allow()
        try:
            node = self.diagrams.of(comparison, closed=False)
            return len(self._fewer(node)[0]) <= (MOST_CUBES if t.parts(total)[1] else MOST_OF_COUNTS)
        except (TooMuch, RecursionError):
            return False

    def _of_node(self, node: Node) -> Term:
        t, (cubes, holds) = self.terms, self._fewer(node)
        found = t.either(*(t.both(*starmap(self.diagrams.literal, cube)) for cube in cubes))
        return found if holds else t.negation(found)

    # --- cubes ------------------------------------------------------------------------------------------------------

    def _fewer(self, node: Node) -> tuple[frozenset[Cube], bool]:
        """The prime implicants of the condition, or of its negation (then False), whichever are fewer."""
        asked = self.diagrams.levels(node)
        controlled = [cell for cell in self.terms.presence if self.diagrams.level[cell] in asked]
        impossible = self._impossible(controlled)
        options = []
        for holds in (True, False):
            try:
                each = node if holds else self.diagrams.negation(node)
                cubes = _Cubes(self.diagrams, self.diagrams.either(each, impossible)).prime()
                options.append((self._possible(cubes, impossible, controlled), holds))
            except TooMuch:
                if not holds and not options:
                    raise
        return min(options, key=lambda option: len(option[0]))

    def _impossible(self, controlled: list[int]) -> Node:
        """Of combinations of values that no state has, as a cell is absent exactly if what controls it says so."""
        d, found = self.diagrams, self.diagrams.false
        for cell in controlled:
            known = self.terms.presence[cell]
            absent, used = d.within(cell, known.absent), d.within(known.by, known.mask)
            wrong = d.either(d.both(absent, used), d.both(d.negation(absent), d.negation(used)))
            found = d.either(found, wrong)
        return found

    def _possible(self, cubes: frozenset[Cube], impossible: Node, controlled: list[int]) -> frozenset[Cube]:
        """Those that hold of a state, each with the values only that states have together."""
        if not controlled:
            return cubes
        kept = (dict(cube) for cube in cubes if not implied(self.diagrams, dict(cube), impossible))
        return frozenset(self._narrowed(masks, controlled) for masks in kept)

    def _narrowed(self, masks: dict[int, int], controlled: list[int]) -> Cube:
        full, level, before = self.diagrams.full, self.diagrams.level, dict[int, int]()
        while masks != before:
            before = dict(masks)
            for cell in controlled:
                known = self.terms.presence[cell]
                here, by = level[cell], level[known.by]
                own, control = masks.get(here, full(here)), masks.get(by, full(by))
                own &= (-1 if control & known.mask else known.absent) & (-1 if control & ~known.mask else ~known.absent)
                control &= (-1 if own & known.absent else known.mask) & (-1 if own & ~known.absent else ~known.mask)
                masks |= {at: mask for at, mask in ((here, own), (by, control)) if mask != full(at)}
        return frozenset(masks.items())


class _Cubes:
    """The prime implicants of one condition. Values of a cell that nothing in the condition tells apart are one
    *class*, and a cube has one class of a cell, or says nothing of it: with any sets of values there would be too
    many."""

    def __init__(self, diagrams: Diagrams, root: Node) -> None:
        self.diagrams = diagrams
        self.root = root
        self._classes = self._told_apart(root)
        self._known: dict[Node, frozenset[Cube]] = {}

    def prime(self) -> frozenset[Cube]:
        return self._prime(self.root)

    def _told_apart(self, root: Node) -> dict[int, tuple[int, ...]]:
        """The classes of each level, as masks."""
        behind: dict[int, list[tuple[Node, ...]]] = {}
        for level, children in self.diagrams.below(root):
            behind.setdefault(level, []).append(children)
        found = {}
        for level, nodes in behind.items():
            masks: dict[tuple[Node, ...], int] = {}
            for k, here in enumerate(zip(*nodes, strict=True)):
                masks[here] = masks.get(here, 0) | 1 << k
            found[level] = tuple(masks.values())
        return found

    def _prime(self, node: Node) -> frozenset[Cube]:
        if node not in self._known:
            level, children = self.diagrams.nodes[node]
            if level == END:
                self._known[node] = frozenset({frozenset()}) if children[0] else frozenset()
            else:
                self._known[node] = frozenset(islice(self._at(level, children), MOST_CUBES + 1))
        if len(self._known[node]) > MOST_CUBES:
            raise TooMuch
        return self._known[node]

    def _at(self, level: int, children: tuple[Node, ...]) -> Iterator[Cube]:
        """The cubes of what holds behind all answers say nothing of the level. A cube behind one class of answers that
        implies the same is one of these, as each of these holds behind the class too."""
        always = self.diagrams.true
        for child in dict.fromkeys(children):
            always = self.diagrams.both(always, child)
        anyway = self._prime(always)
        yield from anyway
        for answers in self._classes[level]:
            found = self._prime(children[answers.bit_length() - 1]) - anyway
            self.diagrams.spend(len(found))
            yield from (cube | {(level, answers)} for cube in found)
