"""The state as one step of a machine sees it: as it was before, with the updates of earlier rules of a sequence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from asset.frontends.asm import code as c
from asset.frontends.asm.folding import have_codes, is_range
from asset.frontends.asm.initial import FIRST_STEP, InitialValues
from asset.frontends.asm.inputs import DrawnInputs, Inputs, index_over
from asset.frontends.asm.kinds import NUMBERS, UNDEFINED, Static, code_of, kind_over, order, shown, values_of
from asset.frontends.asm.lookup import looked_up
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.signature import Allowed, FunctionInfo, Growing, Signature
from asset.frontends.asm.storage import CellUpdate, Stored
from asset.frontends.asm.values import (
    BagValue,
    ChangingMap,
    MapValue,
    Scalar,
    SequenceValue,
    SetValue,
    TupleValue,
    UndefValue,
    Value,
    chosen,
    contains,
    either,
    equal,
    flat,
    of_static,
    static_of,
    truth,
    with_parts,
)
from asset.ir import nodes as n
from asset.span import Span


@dataclass(frozen=True, slots=True)
class Record:
    """An update of an earlier rule of a sequence: if `done` is not 0, the cell has the value."""

    done: n.Expr
    cell: CellUpdate

    def hits(self, variable: int, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
        """Whether it updated this cell."""
        if variable != self.cell.variable:
            return c.const(span, 0)
        pairs = zip(self.cell.indices, indices, strict=True)
        return c.conjunction(span, (self.done, *(c.equal(span, a, b) for a, b in pairs)))


def members_of(names: Signature, domain: str, count: Callable[[Growing], n.Expr], span: Span) -> SetValue:
    """The elements of a domain that gets new ones, of which so many exist."""
    parts = names.growing_parts(domain)

    def test(value: Value) -> n.Expr:
        code = flat(value, span)[0].expr
        there = []
        for each in parts:
            place = c.binary(span, n.BinaryOp.SUB, code, c.const(span, each.first))
            before = c.binary(span, n.BinaryOp.LT, place, c.const(span, 0))
            behind = c.binary(span, n.BinaryOp.GE, place, c.const(span, each.size))
            made = c.binary(span, n.BinaryOp.LT, place, count(each))
            there.append(c.disjunction(span, (before, behind, made)))
        return c.conjunction(span, there)

    return SetValue(values_of(names.domains[domain]) or (), test)


class StateNow:
    """The dynamic functions in a state, for properties: everything that they ask for is stored."""

    def __init__(self, names: Signature, stored: Mapping[str, Stored]) -> None:
        self._names = names
        self._stored = stored

    lazy = False

    def members(self, domain: str, span: Span) -> SetValue:
        return members_of(self._names, domain, lambda each: self._count(each, span), span)

    def choose(self, of: SetValue, span: Span) -> Value:
        raise Rejected(
            "chooseone, or asSequence of a set that changes, has no meaning in a property",
            span,
            "write (exist $x in S with …)",
        )

    def _count(self, growing: Growing, span: Span) -> n.Expr:
        return n.Read(span, self._stored[growing.counter].first, ())

    def read(self, function: FunctionInfo, args: tuple[Value, ...], span: Span) -> Value:
        place = self._stored[function.name]
        return place.read(args, lambda variable, indices, at: n.Read(at, variable, indices), span)


@dataclass
class StateBefore:
    """The dynamic functions in a step."""

    names: Signature
    stored: Mapping[str, Stored]
    initially: InitialValues
    """What the initial state says of inputs, which the first step is given."""
    inputs: Inputs
    writer: c.Writer
    spread: frozenset[str]
    """Monitored functions that are asked for all locations at once, as a loop asks for them."""
    varying: set[int] = field(default_factory=set)
    overlay: tuple[Record, ...] = ()
    certain: bool = True
    """Whether every step comes here."""
    found_spread: set[str] = field(default_factory=set)
    known: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The codes that locals may have."""
    made: dict[str, n.Expr] = field(default_factory=dict)
    """How many elements of a domain earlier rules of a sequence have made."""
    current: frozenset[str] = frozenset()
    """Functions that are read as they are now: a sequence that is being written changes them itself."""
    _sites: dict[str, list[tuple[str, tuple[n.Expr, ...], Value]]] = field(default_factory=dict)

    @property
    def lazy(self) -> bool:
        return isinstance(self.inputs, DrawnInputs)

    def read(self, function: FunctionInfo, args: tuple[Value, ...], span: Span) -> Value:
        if function.name in self.stored:
            return self._stored(self.stored[function.name], args, span)
        if not args:
            return self._input(function, function.name, (), span)
        if function.name in self.spread or not all(map(_is_flat, args)):
            return self._spread(function, args, span)
        return self._site(function, args, span)

    def _stored(self, place: Stored, args: tuple[Value, ...], span: Span) -> Value:
        """What is stored; in a sequence, evaluated once and here: it is one case for each earlier update, in each of
        which the arguments stand."""
        overlay, before = self.overlay, place.function.name not in self.current
        updated = not before or any(place.first <= record.cell.variable <= place.last for record in overlay)
        given = tuple(self._held(arg, span) for arg in args) if updated else args
        found = place.read(given, lambda variable, indices, at: _cell(overlay, variable, indices, before, at), span)
        return self._held(found, span) if updated else found

    def _held(self, value: Value, span: Span) -> Value:
        """The same in locals, unless it belongs to a loop, or evaluating it could be a model error."""
        match value:
            case TupleValue():
                return with_parts(value, lambda part: self._held(part, span))
            case Scalar(n.Const() | n.Local()):
                return value
            case Scalar(expr) if not c.slots_in(expr) & self.varying and not c.may_fail(expr):
                slot = self.writer.slot("read")
                self.writer.emit(n.SetLocal(span, slot, expr))
                if value.codes is not None and not value.maybe:
                    self.known[slot] = value.codes
                return replace(value, expr=n.Local(span, slot))
        return value

    def members(self, domain: str, span: Span) -> SetValue:
        return members_of(self.names, domain, lambda each: self._count(each, span), span)

    def choose(self, of: SetValue, span: Span) -> Value:
        """Any element, `undef` if there is none; then there is nothing to choose."""
        if not of.universe:
            return UndefValue()
        index = index_over("chooseone", of.universe)
        taken = self.inputs.fresh(index, span, self.certain)
        value = selected(of.universe, taken, span)
        if of.test is None:
            return value
        some = c.disjunction(span, (of.test(of_static(each, span)) for each in of.universe))
        first = c.equal(span, taken, c.const(span, index.codes[0]))
        self.writer.emit(n.When(span, c.conditional(span, some, of.test(value), first)))
        return either(some, value, UndefValue(), span)

    def _count(self, growing: Growing, span: Span) -> n.Expr:
        before = self.count_before(growing, span)
        made = self.made.get(growing.domain)
        return before if made is None else c.binary(span, n.BinaryOp.ADD, before, made)

    def count_before(self, growing: Growing, span: Span) -> n.Expr:
        """How many new elements there were before the step."""
        return n.Read(span, self.stored[growing.counter].first, (), before=True)

    def _spread(self, function: FunctionInfo, args: tuple[Value, ...], span: Span) -> Value:
        """One of the values at all locations."""
        keys = list(product(*(values_of(sort) or () for sort in function.args)))
        given = args[0] if len(args) == 1 else TupleValue(args)
        found: Value | None = None
        for key in reversed(keys):
            label = f"{function.name}({', '.join(map(shown, key))})"
            here = of_static(key[0] if len(key) == 1 else key, span)
            value = self._input(function, label, key, span)
            found = value if found is None else either(equal(given, here, span), value, found, span)
        if found is None:
            raise Rejected(f"{function.name} has no locations", function.span)
        return found

    def _site(self, function: FunctionInfo, args: tuple[Value, ...], span: Span) -> Value:
        """The value at one location; if another place asks for the same location, it is the same."""
        exprs = tuple(self.writer.written_out(part.expr) for arg in args for part in flat(arg, span))
        stable = c.slots_in(*exprs) <= set(self.inputs.codes)
        if not stable or self.overlay or self.current:
            self.found_spread.add(function.name)
        known = tuple(each for arg in args if (each := static_of(arg)) is not None)
        label = f"{function.name}({', '.join(map(_written, args))})"
        key = f"{function.name}{exprs!r}"
        value = self._input(function, label, known if len(known) == len(args) else None, span, key)
        for other_key, other, other_value in self._sites.setdefault(function.name, []):
            if other_key != key:
                same = c.conjunction(span, (c.equal(span, a, b) for a, b in zip(exprs, other, strict=True)))
                asked = self.inputs.has_been_asked(f"{other_key}#0", span)
                agree = c.disjunction(
                    span, (c.negation(span, asked), c.negation(span, same), equal(value, other_value, span))
                )
                if c.known(agree) != 1:
                    self.writer.emit(n.When(span, agree))
        self._sites[function.name].append((key, exprs, value))
        self._require_allowed(function, args, value, span)
        return value

    def _require_allowed(self, function: FunctionInfo, args: tuple[Value, ...], value: Value, span: Span) -> None:
        if function.allowed is not None:
            self.writer.emit(n.When(span, allowed(function, args, value, span)))

    def _input(
        self, function: FunctionInfo, label: str, at: tuple[Static, ...] | None, span: Span, key: str | None = None
    ) -> Value:
        """A value that the environment chooses."""
        universe = function.inputs
        if universe is None:
            raise Rejected(f"the values of {function.name} are too many to choose from", function.span)
        if at is not None and function.allowed is not None and at in function.allowed:
            universe = tuple(each for each in universe if each in function.allowed[at])
        index = index_over(label, universe)
        expr = self.inputs.shared(f"{key or label}#0", index, span, self.certain)
        value = selected(universe, expr, span)
        if FIRST_STEP in self.stored and not function.args:
            self._be_as_said(function, value, span)
        return value

    def _be_as_said(self, function: FunctionInfo, value: Value, span: Span) -> None:
        """The first step is given what the initial state says, if it does."""
        if not self.initially.defines(function.name):
            return
        said = self.initially.of(function, ())
        if said is not UNDEFINED or function.left_open:
            later = c.negation(span, n.Read(span, self.stored[FIRST_STEP].first, (), before=True))
            given = equal(value, of_static(said, span), span)
            self.writer.emit(n.When(span, c.disjunction(span, (later, given))))


def selected(universe: tuple[Static, ...], index: n.Expr, span: Span) -> Value:
    """The element of the universe that an index of `index_over` means."""
    if is_range(universe):
        kind = kind_over(universe)
        assert kind is not None
        return Scalar(index, kind, within=tuple(code_of(each, kind) for each in universe))
    if have_codes(tuple(each for each in universe if each is not UNDEFINED)):
        place = Scalar(index, NUMBERS, within=tuple(range(len(universe))))
        return looked_up(MapValue(tuple(enumerate(universe))), (place,), "choice", span)
    return chosen(tuple(of_static(each, span) for each in universe), index, span)


def allowed(function: FunctionInfo, args: tuple[Value, ...], value: Value, span: Span) -> n.Expr:
    """Whether the finiteness constraint lets the function have the value at the arguments."""
    assert function.allowed is not None
    if isinstance(value, SetValue | SequenceValue | BagValue | MapValue | ChangingMap):
        return _allowed_collection(function.allowed, args, value, span)
    pairs = [((*key, each), True) for key, values in function.allowed.items() for each in values]
    table = MapValue(tuple((key if len(key) > 1 else key[0], truth_) for key, truth_ in pairs))
    return truth(looked_up(table, (*args, value), function.name, span), span)


def _allowed_collection(allowed: Allowed, args: tuple[Value, ...], value: Value, span: Span) -> n.Expr:
    tests = []
    for key, values in allowed.items():
        here = (equal(of_static(known, span), arg, span) for known, arg in zip(key, args, strict=True))
        inside = contains(SetValue(tuple(sorted(values, key=order))), value, span)
        tests.append(c.conjunction(span, (*here, inside)))
    return c.disjunction(span, tests)


def _cell(overlay: tuple[Record, ...], variable: int, indices: tuple[n.Expr, ...], before: bool, span: Span) -> n.Expr:
    found: n.Expr = n.Read(span, variable, indices, before)
    for record in overlay:
        found = c.conditional(span, record.hits(variable, indices, span), record.cell.value, found)
    return found


def _is_flat(value: Value) -> bool:
    """Whether it is a scalar or a tuple of such: sets and sequences are looked for among all that there are."""
    return all(map(_is_flat, value.parts)) if isinstance(value, TupleValue) else isinstance(value, Scalar)


def _written(value: Value) -> str:
    """An argument as it is shown in the name of an input."""
    known = static_of(value)
    return "…" if known is None else shown(known)
