"""Assignments to local variables and to the state: single, chained, of tuples, augmented."""

from __future__ import annotations

import ast
from typing import NoReturn

from asset.frontends.python.body import Body
from asset.frontends.python.expressions.expression_compiler import ExpressionCompiler
from asset.frontends.python.expressions.names import reject_unknown
from asset.frontends.python.ir_expressions import has_call
from asset.frontends.python.local_shapes import NOTHING, shape_of
from asset.frontends.python.requests import FunctionRole
from asset.frontends.python.shapes.arrays import Arrays
from asset.frontends.python.shapes.dicts import Dicts
from asset.frontends.python.shapes.lists import Lists, Row
from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.shapes.maps import Maps
from asset.frontends.python.shapes.plain_sets import PlainSets
from asset.frontends.python.shapes.queues import Queues
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Itself,
    RecordOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    TableRef,
    Truth,
    TupleOf,
    Value,
    is_collection,
    tuple_items,
)
from asset.frontends.python.views import viewed
from asset.ir import nodes as n
from asset.ir.program import Variable
from asset.ir.shapes import (
    ArrayShape,
    BagShape,
    BoundedSetShape,
    LocalShape,
    MapShape,
    QueueShape,
    SetShape,
    is_scalars,
)
from asset.ir.types import FIRST_SYMBOL
from asset.model.symbols import is_symbol
from asset.model.syntax_trees import called, nothing_said, says_nothing

_KEYED = (SetShape, BoundedSetShape, BagShape, MapShape)
LARGEST_TUPLE = 64
"""Larger constant tuples are tables, and not copied to local variables."""


class Assignments:
    def __init__(self, body: Body, expressions: ExpressionCompiler) -> None:
        self._body = body
        self._expressions = expressions
        self._storage = expressions.storage
        self._compounds = expressions.compounds
        self._holding = expressions.holding
        self._iterables = expressions.iterables
        self._arithmetic = expressions.operators.arithmetic

    def assign(self, node: ast.Assign) -> None:
        if self._lengthened(node):
            return
        unpacks = all(isinstance(target, ast.Tuple | ast.List) for target in node.targets)
        source = called(list, node.value) if unpacks and viewed(node.value) is not None else node.value
        value = self._expressions.evaluate_now(source)
        if len(node.targets) == 1:
            self._store(node.targets[0], value, source)
            return
        held = self._holding.value(value, node.value)
        for target in node.targets:
            self._store(target, held, node.value)

    def _lengthened(self, node: ast.Assign) -> bool:
        """`xs = xs + more` or `xs = [*xs, x]`: the collection with further items, which may be done in a loop."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(ast.Name(id=left), ast.Add(), more)):
                return name == left and self._lengthened_by(name, more)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(ast.Name(id=left), op, more)):
                return name == left and self._combined_by(name, op, more)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elements) | ast.Tuple(elements)):
                match elements:
                    case [ast.Starred(ast.Name(id=left)), *rest] if name == left:
                        is_list = isinstance(node.value, ast.List)
                        more = (ast.List if is_list else ast.Tuple)(rest, ast.Load())
                        ast.copy_location(more, node.value)
                        return self._lengthened_by(name, more)
        return False

    def _combined_by(self, name: str, op: ast.operator, more: ast.expr) -> bool:
        """`s = s | more` of a plain set or a dict that has no other name."""
        value = self._body.names.get(name)
        if value is None or not is_collection(value):
            return False
        if not _is_updated(self._compounds.lowered(value), op):
            return False
        variable = self._own_variable(name, value, more)
        self._update(self._compounds.lowered(variable), op, more)
        self._body.names[name] = variable
        return True

    def _update(self, lowered: Lowering, op: ast.operator, more: ast.expr) -> None:
        """`s |= more`, `s &= more` and `s -= more` of a plain set, and `d |= more` of a dict."""
        other = self._expressions.evaluate(self._compounds.operand(more))
        assert isinstance(lowered, Dicts | PlainSets)
        if isinstance(op, ast.BitOr):
            lowered.updated(other, more)
            return
        assert isinstance(lowered, PlainSets)
        kind = n.BinaryOp.AND if isinstance(op, ast.BitAnd) else n.BinaryOp.SUB
        lowered.put_in(lowered.combined(kind, other, more), more)

    def _own_variable(self, name: str, value: Compound, more: ast.expr) -> Compound:
        """The local variables of the name, which are about to be changed; nothing else has them."""
        if name in self._body.collections.traversed:
            self._body.reject(more, f"{name} is assigned while it is iterated over", "use another name")
        return value if value.is_variable else self._compounds.sequences.bound(name, value, more)

    def _lengthened_by(self, name: str, more: ast.expr) -> bool:
        value = self._body.names.get(name)
        if value is None or not is_collection(value) or not isinstance(self._compounds.lowered(value), Row):
            return False
        variable = self._own_variable(name, value, more)
        lowered = self._compounds.lowered(variable)
        assert isinstance(lowered, Row)
        lowered.lengthened(self._expressions.evaluate(more), more)
        self._body.names[name] = variable
        return True

    def annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._store(node.target, self._expressions.evaluate_now(node.value), node.value)
        elif says_nothing(node, self._body.definition.node):
            self._body.reject(node, *nothing_said(node))

    def store_element(self, target: ast.expr, value: Value) -> None:
        """Assigns the element of a round to the target of a `for`."""
        self._store(target, value, target)

    def _store(self, target: ast.expr, value: Value, source: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                self.bind(name, value, source)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._store_each(targets, value, source)
            case ast.Subscript(slice=ast.Slice() as part) if self._row(target.value) is not None:
                self._store_slice(target, part, value)
            case ast.Attribute() | ast.Subscript() if self._stored_compound(target, value):
                pass
            case ast.Attribute() | ast.Subscript() if self._stored_array(target, value):
                pass
            case ast.Attribute():
                self._store_attribute(target, self._expressions.number(value, source))
            case ast.Subscript():
                self._store_element(target, self._expressions.number(value, source))
            case _:
                self._body.reject(target, "this cannot be assigned to", "write the elements one by one")

    def _row(self, target: ast.expr) -> Compound | None:
        """The place, if it is an Array or a Queue in the state."""
        with self._body.trial():
            value = self._expressions.evaluate(target)
        if isinstance(value, ArrayRef):
            return self._storage.as_compound(value)
        is_row = isinstance(value, Compound) and isinstance(value.shape, ArrayShape | QueueShape)
        return value if is_row and isinstance(value, Compound) and value.is_place else None

    def _store_slice(self, target: ast.Subscript, part: ast.Slice, value: Value) -> None:
        """`place[:] = value`."""
        if part.lower or part.upper or part.step:
            what = "part of an Array or a Queue is assigned"
            self._body.reject(target, what, "assign the items one by one, or all of them")
        place = self._row(target.value)
        assert place is not None
        self._compounds.lowered(place).assign(value, target)

    def _stored_compound(self, target: ast.Attribute | ast.Subscript, value: Value) -> bool:
        """Assigns to a compound value, or to a part of one, if the target is that."""
        if isinstance(target, ast.Subscript):
            whole = self.located(target.value)
            if whole is None:
                return False
            self._compounds.lowered(whole).store_item(self._expressions.evaluate(target.slice), value, target)
            return True
        place = self.located(target)
        if place is None:
            return False
        self._compounds.lowered(place).assign(value, target)
        return True

    def _stored_array(self, target: ast.Attribute | ast.Subscript, value: Value) -> bool:
        """Assigns a list or a tuple to an Array of numbers, or to a row of it, if that is what is assigned."""
        value = self._compounds.through(value, target)
        is_array = isinstance(value, ArrayRef) or (isinstance(value, Compound) and isinstance(value.shape, ArrayShape))
        if not is_array and not is_collection(value) and tuple_items(value) is None:
            return False
        array = self._expressions.evaluate(target)
        if not isinstance(array, ArrayRef):
            return False
        self._compounds.lowered(self._storage.as_compound(array)).assign(value, target)
        return True

    def bind(self, name: str, value: Value, source: ast.expr) -> None:
        """From here on the name denotes the value: a number in a slot, or else something known now."""
        if isinstance(value, SetOf):
            value = self._compounds.sequences.plain_set(value.items, source)
        if isinstance(value, TupleOf | RecordOf):
            self._compounds.sequences.put(value, source)
        if self._is_variable(name, value):
            self._body.aliases.add(name)
            self._body.names[name] = self._compounds.sequences.bound(name, value, source)
            return
        if isinstance(value, Truth) and self._body.definition.stores[name] > 1:
            self._expressions.number(value, source)
        match self._as_variable(name, value, source):
            case Scalar() | SlotRef() | Static(int() | float()) as value:
                self._body.collections.numbers.add(name)
                slot, number = self._body.slot_of(name), self._expressions.number(value, source)
                bounds = self._body.bounds_of(number)
                if bounds is not None and self._body.definition.stores[name] == 1:
                    self._body.bounds[slot] = bounds
                self._body.emit(n.SetLocal(self._body.span(source), slot, number))
                self._body.names[name] = SlotRef(slot)
            case Static(None) if self._body.draft.model._heaps is not None:
                self._body.aliases.add(name)
                self._body.names[name] = value  # a reference to nothing
            case Static(None | list() | dict() | set()):
                self._expressions.number(value, source)
            case _:
                self._body.aliases.add(name)
                self._body.names[name] = self._holding.value(value, source)

    def _as_variable(self, name: str, value: Value, source: ast.expr) -> Value:
        """A symbol that is not the only value of the name is a number like any other; else it is known what it is."""
        if isinstance(value, Static) and is_symbol(value.value) and self._body.definition.stores[name] > 1:
            return Scalar(self._expressions.number(value, source))
        return value

    def _is_variable(self, name: str, value: Value) -> bool:
        """Whether the name has local variables for values of several cells: for a collection, and if it is bound to
        tuples or records, or to None, in several places."""
        if is_collection(value) or self._body.collections.is_variable(name):
            return True
        if self._body.definition.stores[name] < 2 and name not in self._body.collections.several:
            return False
        match value:
            case Static(None) | TupleOf() | RecordOf():
                return shape_of(value) is not None
            case Static(tuple() as known):
                return len(known) <= LARGEST_TUPLE and shape_of(value) is not None
            case Compound():
                return not value.is_place
            case _:
                return False

    def _store_each(self, targets: list[ast.expr], value: Value, source: ast.expr) -> None:
        """All values are computed before the first is assigned."""
        stars = [k for k, target in enumerate(targets) if isinstance(target, ast.Starred)]
        if isinstance(value, Compound) and isinstance(value.shape, _KEYED) and not _has_calls(source):
            value = self._expressions.evaluate(called(list, source))  # of a Set in the state, which has an order
        if stars:
            items = self._iterables.unpacked_around(value, stars[0], len(targets) - stars[0] - 1, source)
            targets = [target.value if isinstance(target, ast.Starred) else target for target in targets]
        else:
            items = self._iterables.unpacked(value, len(targets), source)
        if (
            len(items) > 1
            and not all(map(_binds_names, targets))
            and any(isinstance(item, Compound) and item.is_place for item in items)
        ):
            what = "a part of the state that may change meanwhile is assigned"
            self._body.reject(source, what, "write x.copy(), or assign one by one")
        held = [self._holding.value(item, source) for item in items]
        for target, item in zip(targets, held, strict=True):
            self._store(target, item, source)

    # --- places of compound values ----------------------------------------------------------------------------------

    def located(self, target: ast.expr) -> Compound | None:
        """The place that is assigned to, if it is (part of) a compound value."""
        match target:
            case ast.Name() | ast.Call():
                value = self._expressions.evaluate(target)
                return value if isinstance(value, Compound) else None
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if isinstance(self._body.names.get(name), Itself):
                variable = self._storage.variable(attr)
                return variable if variable is not None and not is_scalars(variable.shape) else None
            case ast.Attribute(value=base, attr=attr):
                whole = self.located(base)
                return None if whole is None else self._compounds.lowered(whole).part(attr, target)
            case ast.Subscript(value=base, slice=index):
                whole = self.located(base)
                if whole is None:
                    return None
                return self._compounds.lowered(whole).item(self._expressions.evaluate(index), target)
            case _:
                return None

    def is_compound(self, target: ast.Attribute | ast.Subscript) -> bool:
        """Whether what is assigned to is a compound value or a part of one."""
        if self.located(target.value if isinstance(target, ast.Subscript) else target) is not None:
            return True
        with self._body.trial():
            return isinstance(self._expressions.evaluate(target), ArrayRef)

    # --- the state ------------------------------------------------------------------------------------------------

    def _store_attribute(self, target: ast.Attribute, value: n.Expr) -> None:
        number, variable = self._assigned_variable(target)
        if variable.dims:
            what = f"{variable.name} is an Array, and cannot be assigned as a whole"
            self._body.reject(target, what, "assign its elements")
        self._set_state(number, (), value, target)

    def _assigned_variable(self, target: ast.Attribute) -> tuple[int, Variable]:
        owner = self._expressions.evaluate(target.value)
        if isinstance(owner, RecordOf):
            name = ast.unparse(target.value)
            what = f"{name} is a value, which does not change"
            self._body.reject(target, what, f"make another one: {name} = {owner.cls.__name__}(...)")
        if not isinstance(owner, Itself):
            self._body.reject(target, "only state variables of the model can be assigned", "write self.name = ...")
        variable = self._storage.variable(target.attr)
        if variable is not None:
            return variable.leaf, self._body.draft.variables[variable.leaf]
        if target.attr in self._body.draft.model.parameters:
            what = f"'{target.attr}' is a parameter, and does not change"
            self._body.reject(target, what, "make it a state variable")
        reject_unknown(self._body, target)

    def _store_element(self, target: ast.Subscript, value: n.Expr) -> None:
        cell = self._cell(target)
        self._set_state(cell.variable, cell.indices, value, target)

    def _cell(self, target: ast.Subscript) -> n.Read:
        """The cell of the state that the target denotes."""
        base = self._expressions.evaluate(target.value)
        if isinstance(base, TableRef) or (isinstance(base, Static) and isinstance(base.value, tuple)):
            self._body.reject(target, "a constant does not change", "make it an Array in the state")
        found = self._expressions.evaluate(target)
        if isinstance(found, ArrayRef):
            what = f"this is a row of {found.name}, and cannot be assigned as a whole"
            self._body.reject(target, what, "assign its elements")
        if not isinstance(found, Scalar) or not isinstance(found.expr, n.Read):
            self._body.reject(
                target, "this does not change: it is a value, and no part of the state", "assign the whole"
            )
        return found.expr

    def _set_state(self, number: int, indices: tuple[n.Expr, ...], value: n.Expr, target: ast.expr) -> None:
        variable, span = self._body.draft.variables[number], self._body.span(target)
        self._body.summary.writes = self._body.summary.writes or span
        if isinstance(value, n.Const) and value.value not in variable.type and self._is_unconditional():
            self._reject_range(variable, value.value, target)
        self._body.emit(n.SetState(span, number, indices, value))

    def _reject_range(self, variable: Variable, value: int, target: ast.expr) -> NoReturn:
        if value < FIRST_SYMBOL:
            what = f"{variable.name} = {value} is out of range: {variable.name} takes {variable.type}"
            self._body.reject(target, what)
        what = f"{variable.name} takes {variable.type}, and not this text or member of an Enum"
        self._body.reject(target, what, 'declare what it takes, say OneOf("idle", "busy")')

    def _is_unconditional(self) -> bool:
        """Whether each firing comes to this statement."""
        straight = all(isinstance(s, n.SetLocal | n.SetState) for s in self._body.emitted)
        return self._body.depth == 0 and self._body.role is FunctionRole.TRANSITION and straight

    # --- augmented ------------------------------------------------------------------------------------------------

    def augmented(self, node: ast.AugAssign) -> None:
        place = self.located(node.target)
        if place is not None and place.shape == NOTHING:
            self._holding.fixed(place, node.target)  # a dict without keys, as far as it was read
        elif place is not None and isinstance(place.shape, LocalShape) and isinstance(node.target, ast.Name):
            self._augment_collection(place, node, node.target)
        elif place is None or (isinstance(node.target, ast.Name) and not place.is_place):
            self._augment_value(node)
        else:
            self._augment_compound(place, node)

    def _augment_value(self, node: ast.AugAssign) -> None:
        match node.target:
            case ast.Name(id=name) as target:
                left = self._expressions.evaluate(target)
                self.bind(name, self._updated(left, node), target)
            case ast.Attribute() as target:
                number, variable = self._assigned_variable(target)
                if variable.dims:
                    self._body.reject(target, f"{variable.name} is an Array", "assign its elements")
                left = Scalar(n.Read(self._body.span(target), number))
                self._set_state(number, (), self._expressions.number(self._updated(left, node), target), target)
            case ast.Subscript() as target:
                self._augment_element(target, node)

    def _augment_collection(self, place: Compound, node: ast.AugAssign, target: ast.Name) -> None:
        """`xs += ys` changes the list in place; a tuple, or what another operator gives, is a new value."""
        lowered = self._compounds.lowered(place)
        if isinstance(lowered, Lists) and isinstance(node.op, ast.Add):
            lowered.extended(self._expressions.evaluate(node.value), node.value)
            return
        if _is_updated(lowered, node.op):
            self._update(lowered.at(node.target), node.op, node.value)
            return
        if place.is_variable and not isinstance(lowered, Row):
            lowered.at(node.target)
        self.bind(target.id, self._updated(place, node), node.value)

    def _augment_compound(self, place: Compound, node: ast.AugAssign) -> None:
        fixed = self._holding.fixed(place, node.target)
        if self._changed_in_place(self._compounds.lowered(fixed), node):
            return
        left = self._storage.normal(fixed, node.target)
        right = self._expressions.evaluate(self._compounds.operand(node.value))
        if isinstance(right, Scalar):
            right = Scalar(self._holding.number(right.expr, place.name))
        value = self._arithmetic(node.op, (left, node.target), (right, node.value), node)
        self._compounds.lowered(fixed).assign(value, node.target)

    def _changed_in_place(self, lowered: Lowering, node: ast.AugAssign) -> bool:
        """`queue += list` and `map |= dict`."""
        match lowered, lowered.value.shape, node.op:
            case Queues(), QueueShape(), ast.Add():
                lowered.extended(self._expressions.evaluate(node.value), node.value)
            case Maps(), _, ast.BitOr():
                lowered.updated(self._expressions.evaluate(node.value), node.value)
            case Arrays(), _, ast.Add():
                self._body.reject(node, "an Array keeps its length", "assign a list of as many items, or use a Queue")
            case _:
                return False
        return True

    def _updated(self, left: Value, node: ast.AugAssign) -> Value:
        right = self._expressions.evaluate(node.value)
        return self._arithmetic(node.op, (left, node.target), (right, node.value), node)

    def _augment_element(self, target: ast.Subscript, node: ast.AugAssign) -> None:
        """The index is evaluated once, before the value."""
        cell = self._cell(target)
        right = self._expressions.evaluate(node.value)
        indices = cell.indices
        if has_call(*indices) or (isinstance(right, Scalar) and has_call(right.expr)):
            indices = tuple(self._holding.index(index) for index in indices)
        read = Scalar(n.Read(cell.span, cell.variable, indices))
        value = self._arithmetic(node.op, (read, target), (right, node.value), node)
        self._set_state(cell.variable, indices, self._expressions.number(value, target), target)


def _is_updated(lowered: Lowering, op: ast.operator) -> bool:
    """Whether the operator, with the collection on its left, may change it where it is."""
    if isinstance(lowered, PlainSets):
        return isinstance(op, ast.BitOr | ast.BitAnd | ast.Sub)
    return isinstance(lowered, Dicts) and isinstance(op, ast.BitOr)


def _binds_names(target: ast.expr) -> bool:
    """Whether nothing but local variables is assigned to."""
    return isinstance(target, ast.Name) or (isinstance(target, ast.Tuple) and all(map(_binds_names, target.elts)))


def _has_calls(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(node))
