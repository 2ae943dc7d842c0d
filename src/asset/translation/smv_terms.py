"""Terms as expressions of SMV. A term that is used several times gets a name of its own (`DEFINE`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from asset.analysis.symmetry.terms import Term, Terms, parts_of
from asset.analysis.values.domains import bits
from asset.ir.types import BoolType, EnumType
from asset.translation.smv_names import CellNames
from asset.translation.smv_operators import Operand, operation

_NAMED = re.compile(r"\bt\d+\b")
SHORT = 40
"""Shorter expressions are written again wherever they are used."""


class TermTexts:
    """Writes the terms of one program. `definitions` has the names that were given, in an order that SMV can read."""

    def __init__(self, terms: Terms, names: CellNames) -> None:
        self._terms = terms
        self._names = names
        self._uses: Counter[Term] = Counter()
        self._known: dict[Term, str] = {}
        self.definitions: list[tuple[str, str]] = []

    def used(self, roots: Iterable[Term]) -> None:
        """These will be written: what they share is to be named."""
        pending = list(roots)
        while pending:
            term = pending.pop()
            self._uses[term] += 1
            if self._uses[term] == 1:
                pending += parts_of(self._terms.keys[term])
        for term in sorted(self._uses):
            self._write(term)

    def _write(self, term: Term) -> None:
        """Parts are made before what they are part of, so none of them is nested deeply when it is written."""
        match self._terms.keys[term]:
            case ("sum", *_):
                self.number(term)
            case (("cases" | "op" | "wide"), *_):
                self._atom(term)
            case _:
                self.condition(term)

    def definitions_of(self, texts: Iterable[str]) -> list[tuple[str, str]]:
        """The definitions that the texts need, in order."""
        known = dict(self.definitions)
        needed: set[str] = set()
        pending = list(texts)
        while pending:
            for name in _NAMED.findall(pending.pop()):
                if name in known and name not in needed:
                    needed.add(name)
                    pending.append(known[name])
        return [(name, text) for name, text in self.definitions if name in needed]

    # --- conditions -----------------------------------------------------------------------------------------------

    def condition(self, term: Term) -> str:
        return self._shared(term, self._condition(term) if term not in self._known else "")

    def _shared(self, term: Term, text: str) -> str:
        if term in self._known:
            return self._known[term]
        if self._uses[term] > 1 and len(text) > SHORT:
            name = f"t{len(self.definitions)}"
            self.definitions.append((name, text))
            text = name
        self._known[term] = text
        return text

    def _condition(self, term: Term) -> str:
        match self._terms.keys[term]:
            case ("true",):
                return "TRUE"
            case ("false",):
                return "FALSE"
            case ("in", int(cell), int(mask)):
                return self._within(cell, mask)
            case ("and", tuple(parts)):
                return f"({' & '.join(map(self.condition, parts))})"
            case ("or", tuple(parts)):
                return f"({' | '.join(map(self.condition, parts))})"
            case ("positive", int(number)):
                return f"({self.number(number)} > 0)"
            case ("zero", tuple(sums)):
                return f"({self.number(sums[0])} = 0)"
            case ("nonzero", tuple(sums)):
                return f"({self.number(sums[0])} != 0)"
        raise AssertionError(self._terms.keys[term])

    def _within(self, cell: int, mask: int) -> str:
        name, domain = self._names.cells[cell], self._terms.cells.domains[cell] or ()
        if isinstance(self._terms.cells.variables[cell].type, BoolType):
            return name if domain[next(iter(bits(mask)))] else f"!{name}"
        values = [self._names.value(cell, domain[k]) for k in bits(mask)]
        if len(values) == 1:
            return f"({name} = {values[0]})"
        others = [self._names.value(cell, domain[k]) for k in range(len(domain)) if not mask >> k & 1]
        if len(others) == 1:
            return f"({name} != {others[0]})"
        return f"({name} in {{{', '.join(values)}}})"

    # --- numbers ----------------------------------------------------------------------------------------------------

    def number(self, term: Term) -> str:
        return self._shared(term, self._number(term) if term not in self._known else "")

    def _number(self, term: Term) -> str:
        linear, atoms = self._terms.parts(term)
        pieces = [self._function(cell, weights) for cell, weights in linear.terms]
        pieces += [_times(self._atom(atom), factor) for atom, factor in atoms]
        if linear.constant or not pieces:
            pieces.append(str(linear.constant))
        return pieces[0] if len(pieces) == 1 else f"({' + '.join(pieces)})"

    def _function(self, cell: int, weights: Sequence[int]) -> str:
        """A function of one cell: arithmetic if it is linear, else a distinction of cases."""
        name, domain = self._names.cells[cell], self._terms.cells.domains[cell] or ()
        kind = self._terms.cells.variables[cell].type
        if isinstance(kind, BoolType):
            return f"({name} ? {weights[1]} : {weights[0]})"
        if self._names.is_number(cell) and len(domain) > 1:
            slope, remainder = divmod(weights[1] - weights[0], domain[1] - domain[0])
            if not remainder and _is_line(domain, weights, slope):
                return _sum(_times(name, slope), weights[0] - slope * domain[0])
        arms: dict[int, int] = {}
        for k, weight in enumerate(weights):
            arms[weight] = arms.get(weight, 0) | 1 << k
        return _case([(self._within(cell, mask), str(weight)) for weight, mask in arms.items()])

    def _atom(self, atom: Term) -> str:
        match self._terms.keys[atom]:
            case ("cases", tuple(pairs)):
                return self._shared(atom, _case([(self.condition(c), self.number(x)) for c, x in pairs]))
            case ("wide", int(cell)):
                return self._names.cells[cell]
            case ("op", str(name), _, tuple(operands)):
                given = [Operand(self.number(each), self._terms.interval(each)) for each in operands]
                return self._shared(atom, operation(name, given))
        return f"({self.condition(atom)} ? 1 : 0)"

    # --- values of cells --------------------------------------------------------------------------------------------

    def assigned(self, cell: int, number: Term) -> str:
        """What a cell becomes: a value of its own type."""
        kind = self._terms.cells.variables[cell].type
        if isinstance(kind, BoolType):
            return self.condition(self._terms.truth(number))
        if self._names.is_number(cell):
            return self.number(number)
        assert isinstance(kind, EnumType)
        known = self._terms.known(number)
        if known is not None:
            return self._names.value(cell, known)
        other = self._terms.only_cell(number)
        if other is not None and self._copies(other, number, cell):
            return self._names.cells[other]
        arms = []
        for _, code in kind.members:
            same = self._terms.zero(self._terms.minus(number, self._terms.constant(code)))
            if same != self._terms.false:
                arms.append((self.condition(same), self._names.value(cell, code)))
        return arms[0][1] if len(arms) == 1 else _case(arms)

    def _copies(self, source: int, number: Term, target: int) -> bool:
        """Whether the number is the value of another cell of the same type."""
        variables = self._terms.cells.variables
        same_type = variables[source].type == variables[target].type
        return same_type and number == self._terms.value_of(source)


def _is_line(domain: Sequence[int], weights: Sequence[int], slope: int) -> bool:
    return all(weights[0] + slope * (x - domain[0]) == w for x, w in zip(domain, weights, strict=True))


def _times(text: str, factor: int) -> str:
    return text if factor == 1 else f"-{text}" if factor == -1 else f"{factor} * {text}"


def _sum(text: str, constant: int) -> str:
    return text if not constant else f"({text} + {constant})" if constant > 0 else f"({text} - {-constant})"


def _case(arms: list[tuple[str, str]]) -> str:
    """The last arm is for all that is left: exactly one condition holds."""
    *before, (_, last) = arms
    return f"case {''.join(f'{condition} : {value}; ' for condition, value in before)}TRUE : {last}; esac"
