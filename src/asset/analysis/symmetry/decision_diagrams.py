"""Functions of the state as decision diagrams: equal functions are the same node, however they were worked out.

A node asks for the value of one cell and leads to another node for each; its end is a number, 0 or 1 of a condition.
The cells are asked in a fixed order, so diagrams decide whether two terms are the same function, and whether a
condition holds always or never. The order is one of cells, so renaming a diagram makes no diagram: prime implicants are
for that.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator

from asset.analysis.symmetry.terms import Term, Terms
from asset.analysis.values.domains import bits
from asset.analysis.values.linear import Linear, Weights

Node = int

END = 1 << 60
"""Where a number stands instead of a question: behind all levels."""


class TooMuch(Exception):
    """A diagram, or what is looked for in it, would be too large."""


class Diagrams:
    """Diagrams of terms. A *level* is a cell, or a condition that is not looked into. Cells with many values are asked
    first: such a cell may say which of the others matters."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        full = terms.cells.full
        self._cells = sorted(range(len(full)), key=lambda cell: (-full[cell], cell))
        self.level = {cell: level for level, cell in enumerate(self._cells)}
        self.nodes: list[tuple[int, tuple[int, ...]]] = []
        self.work = 0
        self.allowed = 0
        self._numbers: dict[tuple[int, tuple[int, ...]], Node] = {}
        self._applied: dict[tuple[str, Node, Node], Node] = {}
        self._known: dict[tuple[Term, bool], Node] = {}
        self._closed: dict[Term, int] = {}
        self._conditions: list[Term] = []
        self.false, self.true = self.end(0), self.end(1)

    # --- nodes ------------------------------------------------------------------------------------------------------

    def end(self, number: int) -> Node:
        return self._node(END, (number,))

    def ask(self, level: int, children: tuple[Node, ...]) -> Node:
        """A question that does not matter is not asked."""
        return children[0] if len(set(children)) == 1 else self._node(level, children)

    def _node(self, level: int, children: tuple[int, ...]) -> Node:
        known = self._numbers.get((level, children))
        if known is None:
            known = self._numbers[level, children] = len(self.nodes)
            self.nodes.append((level, children))
        return known

    def spend(self, work: int = 1) -> None:
        self.work += work
        if self.work > self.allowed:
            raise TooMuch

    def full(self, level: int) -> int:
        """All answers to the question, as a mask."""
        return self.terms.cells.full[self._cells[level]] if level < len(self._cells) else 3

    def literal(self, level: int, mask: int) -> Term:
        """That the answer is in the mask, as a condition."""
        if level < len(self._cells):
            return self.terms.within(self._cells[level], mask)
        condition = self._conditions[level - len(self._cells)]
        return condition if mask == 2 else self.terms.negation(condition)

    def below(self, node: Node) -> Iterator[tuple[int, tuple[Node, ...]]]:
        """The questions of the diagram: levels and children."""
        seen, pending = {node}, [node]
        while pending:
            level, children = self.nodes[pending.pop()]
            if level != END:
                yield level, children
                new = set(children) - seen
                seen |= new
                pending += new

    def levels(self, node: Node) -> set[int]:
        return {level for level, _ in self.below(node)}

    # --- operations -------------------------------------------------------------------------------------------------

    def both(self, a: Node, b: Node) -> Node:
        return self._apply("*", a, b)

    def either(self, a: Node, b: Node) -> Node:
        return self._apply("max", a, b)

    def negation(self, node: Node) -> Node:
        return self._mapped(node, lambda x: 1 - x, {})

    def _apply(self, name: str, a: Node, b: Node) -> Node:
        a, b = min(a, b), max(a, b)
        simple = self._simple(name, a, b)
        if simple is not None:
            return simple
        known = self._applied.get((name, a, b))
        if known is None:
            self.spend()
            known = self._applied[name, a, b] = self._applied_below(name, a, b)
        return known

    def _applied_below(self, name: str, a: Node, b: Node) -> Node:
        (one, left), (other, right) = self.nodes[a], self.nodes[b]
        if one == other == END:
            return self.end(_OPERATIONS[name](left[0], right[0]))
        level = min(one, other)
        size = len(left if one == level else right)
        lefts = left if one == level else (a,) * size
        rights = right if other == level else (b,) * size
        return self.ask(level, tuple(self._apply(name, x, y) for x, y in zip(lefts, rights, strict=True)))

    def _simple(self, name: str, a: Node, b: Node) -> Node | None:
        """Without looking into the nodes. Those of `false` and `true` are the first."""
        if name == "+":
            return b if a == self.false else None
        if a == self.false:
            return a if name == "*" else b
        if a == self.true:
            return b if name == "*" else a
        return a if a == b and name == "max" else None

    def _mapped(self, node: Node, function: Callable[[int], int], known: dict[Node, Node]) -> Node:
        if node not in known:
            self.spend()
            level, children = self.nodes[node]
            if level == END:
                known[node] = self.end(function(children[0]))
            else:
                known[node] = self.ask(level, tuple(self._mapped(child, function, known) for child in children))
        return known[node]

    # --- terms ------------------------------------------------------------------------------------------------------

    def of(self, term: Term, closed: bool) -> Node:
        """The diagram of a condition or number. If `closed`, relations of sums that `close` was called for are not
        looked into: each is a question of its own."""
        if (term, closed) not in self._known:
            self._known[term, closed] = self._of(term, closed)
        return self._known[term, closed]

    def close(self, condition: Term) -> None:
        """The condition, and its negation, become one question."""
        opposite = self.terms.negation(condition)
        if condition not in self._closed:
            self._closed[condition] = self._closed[opposite] = len(self._conditions)
            self._conditions.append(min(condition, opposite))

    def _of(self, term: Term, closed: bool) -> Node:
        if closed and term in self._closed:
            number = self._closed[term]
            holds = self._conditions[number] == term
            return self.ask(len(self._cells) + number, (self.false, self.true)[:: 1 if holds else -1])
        match self.terms.keys[term]:
            case ("true",) | ("false",):
                return self.true if term == self.terms.true else self.false
            case ("in", int(cell), int(mask)):
                return self.within(cell, mask)
            case ("and", tuple(parts)):
                return self._all("*", (self.of(part, closed) for part in parts))
            case ("or", tuple(parts)):
                return self._all("max", (self.of(part, closed) for part in parts))
            case ("positive", int(number)):
                return self._mapped(self.of(number, closed), lambda x: int(x > 0), {})
            case ("zero", (int(number), *_)):
                return self._mapped(self.of(number, closed), lambda x: int(x == 0), {})
            case ("nonzero", (int(number), *_)):
                return self._mapped(self.of(number, closed), lambda x: int(x != 0), {})
            case ("sum", Linear(constant, functions), tuple(atoms)):
                found = [self._function(cell, weights) for cell, weights in functions]
                found += [self._times(self.of(atom, closed), factor) for atom, factor in atoms]
                return self._all("+", [self.end(constant), *found])
            case ("cases", tuple(pairs)):
                # exactly one condition holds, unless there is a model error; in whatever order they are looked at
                return self._all("+", [self.both(self.of(c, closed), self.of(x, closed)) for c, x in pairs])
        raise TooMuch  # an operator, or a cell with too many values

    def _all(self, name: str, nodes: Iterable[Node]) -> Node:
        """From the last level up, so that what is done before is as little as possible."""
        listed = sorted(nodes, key=lambda node: self.nodes[node][0])
        found = listed.pop()
        while listed:
            found = self._apply(name, listed.pop(), found)
        return found

    def within(self, cell: int, mask: int) -> Node:
        """The cell has one of these values."""
        size = self.terms.cells.full[cell].bit_length()
        return self.ask(self.level[cell], tuple(self.end(mask >> k & 1) for k in range(size)))

    def _function(self, cell: int, weights: Weights) -> Node:
        if self.terms.cells.domains[cell] is None:
            raise TooMuch
        return self.ask(self.level[cell], tuple(self.end(w) for w in weights))

    def _times(self, node: Node, factor: int) -> Node:
        return node if factor == 1 else self._mapped(node, lambda x: x * factor, {})


_OPERATIONS: dict[str, Callable[[int, int], int]] = {"+": operator.add, "*": operator.mul, "max": max}


def implied(diagrams: Diagrams, cube: dict[int, int], node: Node) -> bool:
    """Whether the condition holds of all that is in the masks of the cube."""
    seen, pending = {node}, [node]
    while pending:
        level, children = diagrams.nodes[pending.pop()]
        if level == END:
            if not children[0]:
                return False
            continue
        for k in bits(cube.get(level, diagrams.full(level))):
            if children[k] not in seen:
                seen.add(children[k])
                pending.append(children[k])
    return True
