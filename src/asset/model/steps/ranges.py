"""The values of the local variables that are state: found from what is assigned to them, or annotated.

Nothing relies on the inference: a value outside of what it finds is a model error when it is stored.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import reduce
from types import FunctionType
from typing import Any

from asset.errors import ModelRejected
from asset.ir.shapes import (
    ArrayShape,
    BagShape,
    HeapShape,
    MapShape,
    OptionalShape,
    QueueShape,
    RecordShape,
    RefShape,
    ScalarShape,
    SetShape,
    Shape,
    TupleShape,
    noun,
)
from asset.ir.types import BoolType, EnumType
from asset.model.heaps import Ref
from asset.model.spans import span_of
from asset.model.state import Int, OneOf
from asset.model.steps.choosing import choose
from asset.model.steps.points import Split
from asset.model.steps.reading import Assigned
from asset.model.symbols import is_enumeration, is_symbol
from asset.model.syntax_trees import closure_of, stored_names

ROUNDS = 100
_COLLECTIONS = (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)
Declaration = Int | Enum | OneOf | bool | Ref


@dataclass(frozen=True, slots=True)
class Range:
    """The integers from `lo` to `hi`, all of them members of `enum` or booleans if that is known."""

    lo: int
    hi: int
    enum: type[IntEnum] | None = None
    is_bool: bool = False


@dataclass(frozen=True, slots=True)
class Symbols:
    """Texts, or members of one Enum that are no numbers."""

    values: frozenset[str] | frozenset[Enum]


Values = Range | Symbols
BOOL = Range(0, 1, is_bool=True)


class Unbounded(Exception):
    """The text does not bound the values."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the names in a process mean: the model's parameters and constants, its state, the indices."""

    itself: Any
    shapes: Mapping[str, Shape]
    """The state variables declared so far."""
    indices: Mapping[str, tuple[int, ...]]


def declarations(split: Split, surroundings: Surroundings) -> dict[str, Declaration]:
    """For each local variable that is state, what declares it: an Int, False, a member of an Enum, texts, or a Ref."""
    inference = _Inference(split, surroundings)
    found: dict[str, Declaration] = {}
    for name in split.kept:
        annotation = split.annotated.get(name)
        found[name] = inference.annotated(name, annotation) if annotation is not None else inference.declared(name)
    return found


class _Inference:
    def __init__(self, split: Split, surroundings: Surroundings) -> None:
        self._split = split
        self._function: FunctionType = split.function
        self._itself: Any = surroundings.itself
        self._around = surroundings
        self._scope = vars(builtins) | self._function.__globals__ | closure_of(self._function)
        self._env: dict[str, Values] = {}
        self._refs: dict[str, RefShape] = {}
        """The variables that hold references."""
        self._growing: dict[str, Assigned] = {}
        self._unknown: dict[str, Assigned] = {}
        self._find_references()
        self._fix()

    def _find_references(self) -> None:
        """What is assigned a reference, by way of other variables too."""
        before = -1
        while before < len(self._refs):
            before = len(self._refs)
            for assigned in self._split.assigned:
                shape = self._assigned_shape(assigned)
                annotation = self._split.annotated.get(assigned.name)
                declared = None if annotation is None else self.annotated(assigned.name, annotation)
                shape = declared._declares().shape if isinstance(declared, Ref) else shape
                if isinstance(shape, RefShape) and (declared is None or isinstance(declared, Ref)):
                    self._refs[assigned.name] = shape

    def _assigned_shape(self, assigned: Assigned) -> Shape | None:
        """The shape of what is assigned, if that is (a part of) a part of the state."""
        shape = None if assigned.value is None else self._shape(assigned.value)
        if assigned.part is None:
            return _item(shape) if assigned.is_element else shape
        has_part = isinstance(shape, TupleShape) and assigned.part < len(shape.items)
        return shape.items[assigned.part] if has_part and isinstance(shape, TupleShape) else None

    def _assigned_values(self, assigned: Assigned) -> Values:
        assert assigned.value is not None
        if assigned.part is not None:
            shape = self._assigned_shape(assigned)
            if shape is None:
                raise Unbounded
            return _values_in(shape)
        return self._elements(assigned.value) if assigned.is_element else self._value(assigned.value)

    def _fix(self) -> None:
        """The least ranges that contain all that is assigned; what still grows after many rounds is not bounded."""
        for _ in range(ROUNDS):
            self._growing, self._unknown = {}, {}
            for assigned in self._split.assigned:
                self._assign(assigned)
            if not self._growing:
                return

    def _assign(self, assigned: Assigned) -> None:
        name = assigned.name
        if name in self._refs:
            return
        if name in self._split.annotated and name not in self._env:
            declared = self.annotated(name, self._split.annotated[name])
            assert not isinstance(declared, Ref)  # of these it is known already
            self._env[name] = _values_of(declared)
        if name in self._split.annotated or assigned.value is None:
            if assigned.value is None:
                self._unknown[name] = assigned
            return
        try:
            value = self._assigned_values(assigned)
        except Unbounded:
            self._unknown[name] = assigned
            return
        before = self._env.get(name)
        try:
            after = value if before is None else _either(before, value)
        except Unbounded:
            kinds = "is a number, a text or a member of an Enum elsewhere, and not the same here"
            what = f"'{name.rpartition('.')[2]}' {kinds}"
            raise self._rejected(assigned.value, what, "use a variable for each") from None
        if after != before:
            self._env[name] = after
            self._growing[name] = assigned

    # --- what declares a variable ---------------------------------------------------------------------------------

    def declared(self, name: str) -> Declaration:
        if name in self._refs:
            return Ref(self._refs[name].record)
        for assigned in (self._unknown.get(name), self._growing.get(name)):
            if assigned is not None:
                raise self._unbounded(name, assigned)
        found = self._env.get(name)
        if found is None:  # only ever assigned from itself: no step that could assign it is reached
            return Int(0, 0)
        if isinstance(found, Symbols):
            return _declaring(found)
        if found.is_bool:
            return False
        return next(iter(found.enum)) if found.enum is not None else Int(found.lo, found.hi, found.lo)

    def _unbounded(self, variable: str, assigned: Assigned) -> ModelRejected:
        at, name = assigned.value or assigned.at, variable.rpartition(".")[2]
        if isinstance(assigned.at, ast.For) and variable not in stored_names([assigned.at.target]):
            text = "how often this loop goes round cannot be seen"
            return self._rejected(assigned.at.iter, text, "write for k in range(...), up to a number that is known")
        shape = self._assigned_shape(assigned)
        if shape is not None and not isinstance(shape, ScalarShape):
            text = f"'{name}' is needed after a yield, and only numbers are kept: this is a {noun(shape)}"
            return self._rejected(at, text, "assign the parts that are needed to variables of their own")
        if isinstance(at, _COLLECTIONS):
            text = f"'{name}' is needed after a yield, and only numbers are kept: this is a collection"
            return self._rejected(at, text, f"make it a state variable: self.{name} = … in state()")
        text = f"the values that '{name}' may have cannot be seen from what is assigned to it"
        heaps = [shape.item.name for shape in self._around.shapes.values() if isinstance(shape, HeapShape)]
        annotated = " or ".join(("Int(0, 7)", *(f"Ref({record})" for record in heaps)))
        remedy = f"it is part of the state, as it is needed after a yield: annotate it, {name}: {annotated}"
        return self._rejected(at, text, remedy)

    def annotated(self, name: str, node: ast.expr) -> Declaration:
        scope = self._scope | vars(type(self._itself)) | dict(self._itself.parameters) | {"self": self._itself}
        try:
            value = eval(compile(ast.Expression(node), "<annotation>", "eval"), scope)
        except Exception as error:
            raise self._rejected(node, f"cannot evaluate the annotation of '{name}': {error}") from None
        if isinstance(value, Int | OneOf | Ref):
            return value
        if value is bool:
            return False
        if is_enumeration(value):
            return next(iter(value))
        raise self._rejected(
            node,
            f"{ast.unparse(node)} does not say which values '{name}' takes",
            'write Int(0, 7), bool, an Enum, OneOf("a", "b") or Ref(Node)',
        )

    def _rejected(self, node: ast.expr | ast.stmt, message: str, remedy: str = "") -> ModelRejected:
        columns = (node.col_offset, node.end_col_offset or node.col_offset + 1)
        span = span_of(self._function.__code__.co_filename, node.lineno, node.end_lineno or node.lineno, columns)
        error = ModelRejected.of(message, span, remedy)
        assert isinstance(error, ModelRejected)
        return error

    # --- expressions ----------------------------------------------------------------------------------------------

    def _number(self, node: ast.expr) -> Range:
        found = self._value(node)
        if isinstance(found, Symbols):
            raise Unbounded
        return found

    def _value(self, node: ast.expr) -> Values:
        match node:
            case ast.Constant(value=value):
                return _constant(value)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return BOOL
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self._number(operand)
                return Range(-inner.hi, -inner.lo)
            case ast.BinOp(left=left, op=op, right=right):
                return _binary(op, self._number(left), self._number(right))
            case ast.BoolOp(values=parts):
                return _joined(map(self._value, parts))
            case ast.IfExp(body=body, orelse=orelse):
                return _either(self._value(body), self._value(orelse))
            case ast.Call(func=func, args=args, keywords=[]) if self._shape(node) is None:
                return self._call(self._object(func), args)
            case ast.Subscript() if self._shape(node) is None:
                return self._at_index(node.value)
            case _:
                return self._name(node)

    def _at_index(self, node: ast.expr) -> Values:
        """What a constant or a part of the state has at some index: an item or, of a dict, a value."""
        known = self._object(node) if self._shape(node) is None and isinstance(node, ast.Name | ast.Attribute) else None
        return _joined(map(_constant, known.values())) if isinstance(known, dict) else self._elements(node)

    def _name(self, node: ast.expr) -> Values:
        if isinstance(node, ast.Name) and node.id in self._around.indices:
            return _joined(map(_constant, self._around.indices[node.id]))
        if isinstance(node, ast.Name) and any(a.name == node.id for a in self._split.assigned):
            if node.id not in self._env:
                raise Unbounded
            return self._env[node.id]
        shape = self._shape(node)
        return _constant(self._object(node)) if shape is None else _values_in(shape)

    def _shape(self, node: ast.expr) -> Shape | None:
        """The shape of a part of the state; None if the expression is none."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == self._split.itself:
                return self._around.shapes.get(attribute)
            case ast.Name(id=name):
                return self._refs.get(name)
            case ast.IfExp(body=body, orelse=orelse):
                both = (self._shape(body), self._shape(orelse))
                return next((shape for shape in both if isinstance(shape, RefShape)), None)
            case ast.Attribute(value=base, attr=attribute):
                whole = self._followed(self._shape(base))
                known = isinstance(whole, RecordShape) and attribute in whole.names
                return whole.items[whole.names.index(attribute)] if known and isinstance(whole, RecordShape) else None
            case ast.Subscript(value=base):
                return _item(self._shape(base))
            case ast.Call(func=ast.Attribute(value=base)):
                return _item(self._shape(base))  # get, peek, new: whatever takes an element out
            case _:
                return None

    def _followed(self, shape: Shape | None) -> Shape | None:
        """The object, if it is a reference."""
        if not isinstance(shape, RefShape):
            return shape
        heaps = (s for s in self._around.shapes.values() if isinstance(s, HeapShape))
        return next((heap.item for heap in heaps if heap.item.name == shape.record), None)

    def _object(self, node: ast.expr) -> object:
        """What is known of the name before the model runs."""
        match node:
            case ast.Name(id=name) if name in self._scope:
                return self._scope[name]
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == self._split.itself:
                parameters: Mapping[str, object] = self._itself.parameters
                if attribute in parameters or hasattr(type(self._itself), attribute):
                    return parameters.get(attribute, getattr(type(self._itself), attribute, None))
            case ast.Attribute(value=base, attr=attribute) if hasattr(owner := self._object(base), attribute):
                return getattr(owner, attribute)
        raise Unbounded

    def _elements(self, node: ast.expr) -> Values:
        """The elements of what is iterated over or indexed."""
        shape = self._shape(node)
        if shape is not None:
            return _elements_in(shape)
        if isinstance(node, ast.Call) and self._object(node.func) is range:
            return self._in_range(node.args)
        if isinstance(node, ast.Subscript):
            return self._elements(node.value)
        if isinstance(node, ast.Tuple):
            return _joined(map(self._value, node.elts))
        return _joined(map(_constant, _flat(self._object(node))))

    def _in_range(self, args: list[ast.expr]) -> Range:
        bounds = [self._number(arg) for arg in args]
        start, stop = (Range(0, 0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
        if len(bounds) > 2 and bounds[2].lo < 0:
            return Range(min(stop.lo + 1, start.hi), start.hi)
        return Range(start.lo, max(stop.hi - 1, start.lo))

    def _call(self, function: object, args: list[ast.expr]) -> Values:
        if function is choose:
            return self._elements(args[0]) if len(args) == 1 else _joined(map(self._value, args))
        if function is len:
            return self._length(args[0])
        if function in (min, max) and len(args) > 1:
            parts, pick = [self._number(arg) for arg in args], min if function is min else max
            return Range(pick(p.lo for p in parts), pick(p.hi for p in parts))
        if function in (any, all, bool):
            return BOOL
        if function is int:
            inner = self._number(args[0])
            return Range(inner.lo, inner.hi)
        if isinstance(function, type) and issubclass(function, IntEnum):
            return _joined(map(_constant, function))
        raise Unbounded

    def _length(self, node: ast.expr) -> Range:
        match self._shape(node):
            case None:
                size = len(_flat(self._object(node)))
                return Range(size, size)
            case ArrayShape(length=length):
                return Range(length, length)
            case QueueShape(capacity=capacity):
                return Range(0, capacity)
            case _:
                raise Unbounded


def _constant(value: object) -> Values:
    match value:
        case Enum() if is_symbol(value):
            return Symbols(frozenset((value,)))
        case str() if is_symbol(value):
            return Symbols(frozenset((value,)))
        case bool():
            return Range(int(value), int(value), is_bool=True)
        case IntEnum():
            return Range(int(value), int(value), type(value))
        case int():
            return Range(value, value)
        case _:
            raise Unbounded


def _flat(value: object) -> list[object]:
    match value:
        case tuple() | range():
            return [part for one in value for part in (_flat(one) if isinstance(one, tuple) else [one])]
        case _ if is_enumeration(value):
            return list(value)
        case dict():
            return list(value)
        case _:
            raise Unbounded


def _either(a: Values, b: Values) -> Values:
    match a, b:
        case Range(), Range():
            enum = a.enum if a.enum is b.enum else None
            return Range(min(a.lo, b.lo), max(a.hi, b.hi), enum, a.is_bool and b.is_bool)
        case Symbols(), Symbols() if len(set(map(type, (*a.values, *b.values)))) == 1:
            return Symbols(a.values | b.values)  # type: ignore[operator]
        case _:
            raise Unbounded


def _joined(parts: Iterable[Values]) -> Values:
    return reduce(_either, list(parts) or [Range(0, 0)])


def _declaring(symbols: Symbols) -> OneOf | Enum:
    """All members of their class, or these texts."""
    for value in symbols.values:
        if isinstance(value, Enum):
            return next(iter(type(value)))
    return OneOf(*sorted(map(str, symbols.values)))


def _item(shape: Shape | None) -> Shape | None:
    """What is in it; of a record around one container, a channel, what is in that."""
    match shape:
        case ArrayShape() | QueueShape() | MapShape() | OptionalShape():
            return shape.item
        case HeapShape(item=item):
            return RefShape(item.name)
        case RecordShape(items=(only,)):
            return _item(only)
        case _:
            return None


def _values_in(shape: Shape) -> Values:
    """The values of a scalar."""
    if not isinstance(shape, ScalarShape):
        raise Unbounded
    if isinstance(shape.type, EnumType) and shape.type.is_symbolic:
        return Symbols(_symbols(shape.host, shape.type))
    enum = shape.host if shape.host is not None and issubclass(shape.host, IntEnum) else None
    return Range(shape.type.lo, shape.type.hi, enum, isinstance(shape.type, BoolType))


def _symbols(host: type | None, kind: EnumType) -> frozenset[str] | frozenset[Enum]:
    if host is not None and issubclass(host, Enum):
        return frozenset(host)
    return frozenset(name for name, _ in kind.members)


def _elements_in(shape: Shape) -> Values:
    if isinstance(shape, SetShape | BagShape) and shape.keys.single:
        return _values_in(shape.keys.parts[0])
    item = _item(shape)
    if item is None:
        raise Unbounded
    return _values_in(item)


def _values_of(declared: Int | Enum | OneOf | bool) -> Values:
    if isinstance(declared, Int | OneOf):
        return _values_in(declared.shape)
    return _joined(map(_constant, type(declared))) if isinstance(declared, Enum) else BOOL


def _binary(op: ast.operator, a: Range, b: Range) -> Range:
    match op:
        case ast.Add():
            return Range(a.lo + b.lo, a.hi + b.hi)
        case ast.Sub():
            return Range(a.lo - b.hi, a.hi - b.lo)
        case ast.Mult():
            corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            return Range(min(corners), max(corners))
        case ast.Mod() if b.lo > 0:
            return Range(0, b.hi - 1 if not 0 <= a.lo <= a.hi < b.lo else a.hi)
        case ast.FloorDiv() if b.lo > 0:
            corners = [x // y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            return Range(min(corners), max(corners))
        case ast.BitAnd() if a.lo >= 0 and b.lo >= 0:
            return Range(0, min(a.hi, b.hi))
        case ast.BitOr() | ast.BitXor() if a.lo >= 0 and b.lo >= 0:
            return Range(0, 2 ** max(a.hi.bit_length(), b.hi.bit_length()) - 1)
        case _:
            raise Unbounded
