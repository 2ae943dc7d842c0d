"""Assignments to local variables and to the state: single, chained, of tuples, augmented."""

from __future__ import annotations

import ast

from asset.frontends.python.body import Role
from asset.frontends.python.expressions import Expressions
from asset.frontends.python.intervals import has_call
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Itself,
    Operation,
    Poison,
    RecordOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    TableRef,
    TupleOf,
    Value,
)
from asset.ir import nodes as n
from asset.ir.program import Variable


class Assignments(Expressions):
    def assign(self, node: ast.Assign) -> None:
        value = self.evaluate_now(node.value)
        if len(node.targets) == 1:
            self._store(node.targets[0], value, node.value)
            return
        held = self.held_value(value, node.value)
        for target in node.targets:
            self._store(target, held, node.value)

    def annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._store(node.target, self.evaluate_now(node.value), node.value)

    def evaluate_now(self, node: ast.expr) -> Value:
        """The value of a whole right-hand side: what it changes is changed before anything else is done."""
        self.immediate = node
        try:
            return self.evaluate(node)
        finally:
            self.immediate = None

    def store_element(self, target: ast.expr, value: Value) -> None:
        """Assigns the element of a round to the target of a `for`."""
        self._store(target, value, target)

    def _store(self, target: ast.expr, value: Value, source: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                self.bind(name, value, source)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._store_each(targets, value, source)
            case ast.Attribute() | ast.Subscript() if self._stored_compound(target, value):
                pass
            case ast.Attribute():
                self._store_attribute(target, self.number(value, source))
            case ast.Subscript():
                self._store_element(target, self.number(value, source))
            case _:
                self.reject(target, "this cannot be assigned to", "write the elements one by one")

    def _stored_compound(self, target: ast.Attribute | ast.Subscript, value: Value) -> bool:
        """Assigns to a compound value, or to a part of one, if the target is that."""
        if isinstance(target, ast.Subscript):
            whole = self.located(target.value)
            if whole is None:
                return False
            self.lowered(whole).store_item(self.evaluate(target.slice), value, target)
            return True
        place = self.located(target)
        if place is None:
            return False
        self.lowered(place).assign(value, target)
        return True

    def bind(self, name: str, value: Value, source: ast.expr) -> None:
        """From here on the name denotes the value: a number in a slot, or else something known now."""
        match value:
            case Scalar() | SlotRef() | Static(int() | float()):
                slot = self.slot_of(name)
                self.emitted.append(n.SetLocal(self.span(source), slot, self.number(value, source)))
                self.names[name] = SlotRef(slot)
            case Static(None | str() | list() | dict() | set()):
                self.number(value, source)
            case _:
                self.aliases.add(name)
                self.names[name] = self.held_value(value, source)

    def _store_each(self, targets: list[ast.expr], value: Value, source: ast.expr) -> None:
        """All values are computed before the first is assigned."""
        for target in targets:
            if isinstance(target, ast.Starred):
                self.reject(target, "* is not part of the language here", "name the elements one by one")
        items = self.unpacked(value, len(targets), source)
        if len(items) > 1 and any(isinstance(item, Compound) and item.alias for item in items):
            self.reject(
                source,
                "a part of the state that may change meanwhile is assigned",
                "write x.copy(), or assign one by one",
            )
        held = [self.held_value(item, source) for item in items]
        for target, item in zip(targets, held, strict=True):
            self._store(target, item, source)

    def held_value(self, value: Value, source: ast.expr) -> Value:
        """The value as it is now: no later assignment changes it."""
        match value:
            case TupleOf(items):
                return TupleOf(tuple(self.held_value(item, source) for item in items))
            case RecordOf(cls, items):
                return RecordOf(cls, tuple(self.held_value(item, source) for item in items))
            case SetOf() | Operation():
                self.number(value, source)
                raise AssertionError
            case Scalar(n.Const()) | Static():
                return value
            case Scalar() | SlotRef():
                slot = self.new_slot("held")
                self.emitted.append(n.SetLocal(self.span(source), slot, self.number(value, source)))
                return Scalar(n.Local(self.span(source), slot))
            case _:
                return self.frozen(value, source)

    # --- the state ------------------------------------------------------------------------------------------------

    def _store_attribute(self, target: ast.Attribute, value: n.Expr) -> None:
        number, variable = self._assigned_variable(target)
        if variable.dims:
            self.reject(
                target, f"{variable.name} is an Array, and cannot be assigned as a whole", "assign its elements"
            )
        self._set_state(number, (), value, target)

    def _assigned_variable(self, target: ast.Attribute) -> tuple[int, Variable]:
        if not isinstance(self.evaluate(target.value), Itself):
            self.reject(target, "only state variables of the model can be assigned", "write self.name = ...")
        declared = self.unit.model._variables.get(target.attr)
        if declared is not None:
            return declared.leaf, self.unit.variables[declared.leaf]
        if target.attr in self.unit.model.parameters:
            self.reject(target, f"'{target.attr}' is a parameter, and does not change", "make it a state variable")
        self.reject_unknown(target)

    def _store_element(self, target: ast.Subscript, value: n.Expr) -> None:
        cell = self._cell(target)
        self._set_state(cell.variable, cell.indices, value, target)

    def _cell(self, target: ast.Subscript) -> n.Read:
        """The cell of the state that the target denotes."""
        base = self.evaluate(target.value)
        if isinstance(base, TableRef) or (isinstance(base, Static) and isinstance(base.value, tuple)):
            self.reject(target, "a constant tuple does not change", "make it an Array in the state")
        found = self.subscript(target)
        if isinstance(found, ArrayRef):
            self.reject(
                target, f"this is a row of {found.name}, and cannot be assigned as a whole", "assign its elements"
            )
        assert isinstance(found, Scalar) and isinstance(found.expr, n.Read)
        return found.expr

    def _set_state(self, number: int, indices: tuple[n.Expr, ...], value: n.Expr, target: ast.expr) -> None:
        variable, span = self.unit.variables[number], self.span(target)
        self.summary.writes = self.summary.writes or span
        if isinstance(value, n.Const) and value.value not in variable.type and self._is_unconditional():
            self.reject(
                target, f"{variable.name} = {value.value} is out of range: {variable.name} takes {variable.type}"
            )
        self.emitted.append(n.SetState(span, number, indices, value))

    def _is_unconditional(self) -> bool:
        """Whether each firing comes to this statement."""
        straight = all(isinstance(s, n.SetLocal | n.SetState) for s in self.emitted)
        return self.depth == 0 and self.role is Role.TRANSITION and straight

    # --- augmented ------------------------------------------------------------------------------------------------

    def augmented(self, node: ast.AugAssign) -> None:
        place = self.located(node.target)
        if place is not None:
            self._augment_compound(place, node)
            return
        match node.target:
            case ast.Name(id=name) as target:
                left = self.name(ast.copy_location(ast.Name(name, ast.Load()), target))
                self.bind(name, self._updated(left, node), target)
            case ast.Attribute() as target:
                number, variable = self._assigned_variable(target)
                if variable.dims:
                    self.reject(target, f"{variable.name} is an Array", "assign its elements")
                left = Scalar(n.Read(self.span(target), number))
                self._set_state(number, (), self.number(self._updated(left, node), target), target)
            case ast.Subscript() as target:
                self._augment_element(target, node)

    def _augment_compound(self, place: Compound, node: ast.AugAssign) -> None:
        fixed = self.fixed(place, node.target)
        left = self.normal(fixed, node.target)
        right = self.evaluate(node.value)
        if isinstance(right, Scalar):
            right = Scalar(self.held_number(right.expr, place.name))
        value = self.arithmetic(node.op, (left, node.target), (right, node.value), node)
        self.lowered(fixed).assign(value, node.target)

    def _updated(self, left: Value, node: ast.AugAssign) -> Value:
        right = self.evaluate(node.value)
        return self.arithmetic(node.op, (left, node.target), (right, node.value), node)

    def _augment_element(self, target: ast.Subscript, node: ast.AugAssign) -> None:
        """The index is evaluated once, before the value."""
        cell = self._cell(target)
        right = self.evaluate(node.value)
        indices = cell.indices
        if has_call(*indices) or (isinstance(right, Scalar) and has_call(right.expr)):
            indices = tuple(self._in_slot(index) for index in indices)
        read = Scalar(n.Read(cell.span, cell.variable, indices))
        value = self.arithmetic(node.op, (read, target), (right, node.value), node)
        self._set_state(cell.variable, indices, self.number(value, target), target)

    def _in_slot(self, index: n.Expr) -> n.Expr:
        if isinstance(index, n.Const | n.Local):
            return index
        slot = self.new_slot("index")
        self.emitted.append(n.SetLocal(index.span, slot, index))
        return n.Local(index.span, slot)

    def poison(self, names: list[str]) -> None:
        """After a rejected statement its names denote nothing that could be a second error."""
        for name in names:
            self.names[name] = Poison()
