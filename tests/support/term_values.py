"""What terms mean: their values in a state. The analysis never needs them; its tests do."""

from __future__ import annotations

from collections.abc import Sequence

from asset.analysis.symmetry.described_program import DescribedProgram
from asset.analysis.symmetry.terms import Term, Terms
from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN, Fault
from asset.ir.interpreter import binary_value, unary_value
from asset.ir.presence import uses_of
from asset.ir.program import Program, State
from asset.span import NOWHERE

NOTHING = n.Const(NOWHERE, 0)


def place(terms: Terms, cell: int, state: State) -> int:
    """The place of the cell's value in its domain, which has one for what is not in use."""
    use = terms.cells.uses.get(cell)
    there = use is None or use.holds(state)
    found = terms.cells.index(cell, state[cell] if there else terms.cells.absent(cell))
    assert found is not None
    return found


def canonical(program: Program, state: Sequence[int]) -> State:
    """The state with blanks in what is not in use."""
    found = list(state)
    for cell, use in sorted(uses_of(program).items()):
        if found[use.by] not in use.values:
            found[cell] = use.blank
    return tuple(found)


def settled(described: DescribedProgram, state: State) -> State:
    """The state with their values in cells that never change: of such states descriptions speak."""
    found = list(state)
    for cell, at in described.constants.items():
        found[cell] = described.cells.results(cell)[at]
    return canonical(described.program, found)


def is_described(described: DescribedProgram, state: State) -> bool:
    """Whether the settled state is one that descriptions speak of: a cell that never is in use has no value in it."""
    return all(place(described.terms, cell, state) == at for cell, at in described.constants.items())


def holds(terms: Terms, condition: Term, state: State) -> bool:
    """Whether the condition is true of the state."""
    match terms.keys[condition]:
        case ("true",):
            return True
        case ("false",):
            return False
        case ("in", cell, mask):
            return bool(mask >> place(terms, cell, state) & 1)
        case ("and", parts):
            return all(holds(terms, part, state) for part in parts)
        case ("or", parts):
            return any(holds(terms, part, state) for part in parts)
        case ("positive", number):
            return value(terms, number, state) > 0
        case ("zero", numbers):
            return value(terms, numbers[0], state) == 0
        case ("nonzero", numbers):
            return value(terms, numbers[0], state) != 0
    raise AssertionError(terms.keys[condition])


def value(terms: Terms, number: Term, state: State) -> int:
    """The number in the state; anything where it is the result of what is a model error there."""
    (constant, functions), atoms = terms.parts(number)
    total = constant
    for cell, weights in functions:
        total += weights[place(terms, cell, state)]
    for atom, factor in atoms:
        total += factor * _atom(terms, atom, state)
    return total


def _atom(terms: Terms, atom: Term, state: State) -> int:
    match terms.keys[atom]:
        case ("wide", cell):
            return state[cell]
        case ("cases", pairs):
            return next((value(terms, x, state) for c, x in pairs if holds(terms, c, state)), 0)
        case ("op", name, _, operands):
            return _operator(name, [value(terms, x, state) for x in operands])
    return int(holds(terms, atom, state))


def _operator(name: str, operands: list[int]) -> int:
    if name in ("min", "max"):
        return min(operands) if name == "min" else max(operands)
    overflow = name.removeprefix("overflow of ")
    try:
        if len(operands) == 1:
            result = unary_value(n.Unary(NOWHERE, n.UnaryOp(overflow), NOTHING), operands[0])
        else:
            result = binary_value(n.Binary(NOWHERE, n.BinaryOp(overflow), NOTHING, NOTHING), *operands)
    except Fault:
        return int(overflow != name)
    assert INT_MIN <= result <= INT_MAX
    return 0 if overflow != name else result
