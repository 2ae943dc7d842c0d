"""Names and attributes: what they refer to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import Enum, EnumMeta, IntEnum
from inspect import getattr_static
from types import FunctionType, ModuleType
from typing import NoReturn

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.expressions.builtin_functions import KNOWN_FUNCTIONS
from asset.frontends.python.expressions.constant_values import one_of
from asset.frontends.python.expressions.invocations import Invocations
from asset.frontends.python.inlining import BY_INDEX, SEARCHED, is_found, is_result
from asset.frontends.python.problems import Rejected
from asset.frontends.python.shapes.dicts import Dicts
from asset.frontends.python.storage import Storage
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Itself,
    Method,
    Operation,
    Poison,
    RecordOf,
    Scalar,
    SlotRef,
    Static,
    Super,
    TupleOf,
    Value,
)
from asset.ir import nodes as n
from asset.ir.shapes import Collection, OptionalShape, RecordShape, ScalarShape
from asset.ir.types import EnumType
from asset.model import Model, Process, Record, Transition
from asset.model.symbols import is_symbol, is_symbolic_class, number_of, symbol_type
from asset.model.syntax_trees import closure_of
from asset.span import Span


class Names:
    def __init__(
        self, body: Body, evaluation: Evaluation, storage: Storage, compounds: Compounds, invocations: Invocations
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._storage = storage
        self._compounds = compounds
        self._invocations = invocations
        self._model = body.draft.model

    # --- names ----------------------------------------------------------------------------------------------------

    def name(self, node: ast.Name) -> Value:
        value = self._body.names.get(node.id)
        if isinstance(value, Poison):
            raise Rejected
        if value is not None:
            return value
        if self._body.definition.is_local(node.id):
            if is_result(node.id):
                what = "what is returned here and what is returned elsewhere are not of one kind"
                self._body.reject(node, what, "return copies or values: set(x), list(x), x.copy()")
            alias = node.id in self._body.aliases
            if alias:
                what = f"'{node.id}' is not the same on every path to here"
                self._body.reject(node, what, "assign a copy on each path: set(x), list(x), x.copy()")
            if node.id in self._model._variables:
                what = f"'{node.id}' is a local variable here, which has no value yet"
                self._body.reject(node, what, f"write self.{node.id} for the state variable")
            what = f"'{node.id}' may have no value here"
            self._body.reject(node, what, "assign it before the branch or the loop")
        return self._outer(node)

    def _outer(self, node: ast.Name) -> Value:
        """A name from outside the function: of an enclosing function, of the module, or of Python itself."""
        function = self._body.definition.function
        self._reject_mangled(node.id, node)
        python: dict[str, object] = getattr(function, "__builtins__")  # noqa: B009 (unknown to type checkers)
        for scope in (closure_of(function), function.__globals__, python):
            if node.id in scope:
                return self._body.known(scope[node.id], node)
        if is_found(node.id):
            self._body.reject(node, SEARCHED, BY_INDEX)
        owner = "self" if self._is_attribute(node.id) else _enum_with(node.id, function.__globals__)
        visible = [*self._body.names, *(g for g in function.__globals__ if not g.startswith("_")), *KNOWN_FUNCTIONS]
        variables = self._model._variables
        remedy = f"write {owner}.{node.id}" if owner else _suggestion(node.id, [*visible, *variables])
        if not remedy and (declared := _declared(self._model)):
            remedy = f"the state variables are: {', '.join(declared)}"
        self._body.reject(node, f"'{node.id}' is not defined", remedy)

    def _reject_mangled(self, name: str, node: ast.expr) -> None:
        """In a class, Python puts the name of the class before a name that begins with two underscores."""
        if name.startswith("__") and not name.endswith("__"):
            what = f"{name} is another name in each class: Python puts the name of the class before it"
            self._body.reject(node, what, "begin the name with one underscore, or with none")

    def _is_attribute(self, name: str) -> bool:
        return name in self._model._variables or hasattr(type(self._model), name)

    # --- attributes -----------------------------------------------------------------------------------------------

    def attribute(self, node: ast.Attribute) -> Value:
        self._reject_mangled(node.attr, node)
        match self._evaluation.evaluate(node.value):
            case Itself():
                return self._of_model(node)
            case Super(owner):
                return self._of_class(node, type(self._model).__mro__, owner)
            case Static(type() as cls) if issubclass(type(self._model), cls) and issubclass(cls, Model):
                return self._unbound(self._of_class(node, cls.__mro__, None), node)
            case Static(ModuleType() as known) if node.attr in vars(known):
                return self._body.known(vars(known)[node.attr], node)
            case Static(type() | Enum() as known) if hasattr(known, node.attr):
                return self._of_known(known, node)
            case Static(type() as known) if issubclass(known, Enum):
                self._body.reject(
                    node, f"{known.__name__} has no member '{node.attr}'", f"it has {', '.join(known.__members__)}"
                )
            case Static(ModuleType() | type() as known):
                name = known.__name__
                self._body.reject(node, f"{name} has no '{node.attr}'", _suggestion(node.attr, _public(known)))
            case Scalar(n.Read(variable=variable)) as value if node.attr == "value" and self._is_int_enum(variable):
                return value  # an IntEnum member is its number
            case Scalar() | SlotRef() | Compound(shape=OptionalShape(ScalarShape())) as value if (
                self._enum_with(node.attr) is not None
            ):
                return self._of_member(value, node)
            case Scalar() | SlotRef() as value if (kind := self._class_of(value, node)) is not None:
                return self._told_by_member(value, kind, node)
            case Scalar() | SlotRef():
                remedy = "leave it out: a member of an IntEnum is its number" if node.attr == "value" else ""
                what = f"a number, a text or a member of an Enum has no '{node.attr}' here"
                self._body.reject(node, what, remedy or "compare it with == or in")
            case ArrayRef() as array:
                return self._compounds.lowered(self._storage.as_compound(array)).attribute(node.attr, node)
            case (
                Compound(
                    shape=RecordShape(host=type() as cls) | OptionalShape(RecordShape(host=type() as cls))
                ) as value
            ) if _is_own(cls, node.attr):
                return self._member(cls, self._compounds.through(value, node), node)
            case Compound() as value:
                return self._compounds.lowered(value).attribute(node.attr, node)
            case RecordOf(cls, items):
                return self._of_record(cls, items, node)
            case Static(tuple()) as row if node.attr in ("index", "count"):
                return Operation(self._compounds.sequences.copied(row, node, Collection.TUPLE), node.attr)
            case Static(dict() as known) if node.attr in Dicts.VALUES:
                return Operation(self._local_dict(known, node), node.attr)
            case Poison():
                raise Rejected
            case _:
                remedy = "make it a state variable, or a local one, if it is to change"
                self._body.reject(node, f"'.{node.attr}' is not part of the language here", remedy)

    def _local_dict(self, known: dict[object, object], node: ast.expr) -> Compound:
        """A constant dict in local variables."""
        pairs = [TupleOf((self._body.known(key, node), self._body.known(v, node))) for key, v in known.items()]
        length = n.Const(self._body.span(node), len(pairs))
        return self._compounds.sequences.collected(Collection.DICT, pairs, length, node)

    def _is_int_enum(self, variable: int) -> bool:
        kind = self._body.draft.variables[variable].type
        return isinstance(kind, EnumType) and not kind.is_symbolic

    def _of_known(self, known: type | Enum, node: ast.Attribute) -> Value:
        """An attribute of a class, or of a member of an enumeration, if it is not computed when it is read."""
        if isinstance(known, Enum) and node.attr in ("name", "value"):
            return self._body.known(getattr(known, node.attr), node)
        if isinstance(known, EnumMeta) and node.attr in known.__members__:
            return self._body.known(known.__members__[node.attr], node)
        if isinstance(known, Enum) and _is_own(type(known), node.attr):
            return self._member(type(known), Static(known), node)
        member = getattr_static(known, node.attr, None)
        if isinstance(known, type) and isinstance(member, FunctionType):
            return Static(member)
        if isinstance(known, type) and type(member) is staticmethod and isinstance(member.__func__, FunctionType):
            return Static(member.__func__)
        self._reject_computed(member, node)
        return self._body.known(member, node)

    def _member(self, cls: type, receiver: Value, node: ast.Attribute) -> Value:
        """A method or a @property of a record or of a member of an Enum."""
        found = getattr_static(cls, node.attr)
        if isinstance(found, property):
            assert isinstance(found.fget, FunctionType)
            return self._invocations.getter(found.fget, receiver, node)
        return Method(found, receiver)

    def _enum_with(self, name: str) -> type[Enum] | None:
        """The only Enum known here that has a method or a @property of that name."""
        known = self._body.definition.function.__globals__.values()
        enums = {cls for cls in known if is_symbolic_class(cls) and _is_own(cls, name)}
        return enums.pop() if len(enums) == 1 else None

    def _of_member(self, value: Value, node: ast.Attribute) -> Value:
        """Different symbols have different numbers, so it is seen of which class the symbol is."""
        cls, span = self._enum_with(node.attr), self._body.span(node)
        assert cls is not None
        number = self._evaluation.number(value, node.value)
        return self._member(cls, Scalar(self._checked(number, cls, span)), node)

    def _checked(self, number: n.Expr, cls: type[Enum], span: Span) -> n.Expr:
        """The number of a member of the class; a model error if it is none."""
        kind = symbol_type(cls)
        if self._is_within(number, kind):
            return number
        low, high = n.Const(span, kind.lo), n.Const(span, kind.hi)
        inside = n.And(span, tuple(n.Binary(span, n.BinaryOp.LE, *each) for each in ((low, number), (number, high))))
        check = self._storage.check(inside, f"AttributeError: this is no {cls.__name__}", span)
        return n.Conditional(span, check, number, low)

    def _is_within(self, number: n.Expr, kind: EnumType) -> bool:
        bounds = self._body.bounds_of(number)
        return bounds is not None and kind.lo <= bounds[0] and bounds[1] <= kind.hi

    def _class_of(self, value: Scalar | SlotRef, node: ast.Attribute) -> type[Enum] | None:
        """The Enum whose members these numbers are, if `name` or `value` of one is asked for."""
        if node.attr not in ("name", "value"):
            return None
        number = self._evaluation.number(value, node.value)
        number = number.then if isinstance(number, n.Conditional) else number  # an item of a collection, if it is there
        known = [cls for cls in self._body.definition.function.__globals__.values() if is_symbolic_class(cls)]
        return next((cls for cls in known if self._is_within(number, symbol_type(cls))), None)

    def _told_by_member(self, value: Scalar | SlotRef, cls: type[Enum], node: ast.Attribute) -> Value:
        """`name` or `value` of a member that is known at run time only, by a table."""
        span, told = self._body.span(node), [getattr(member, node.attr) for member in cls]
        number = self._checked(self._evaluation.number(value, node.value), cls, span)
        first = n.Const(span, symbol_type(cls).lo)
        at, name = n.Binary(span, n.BinaryOp.SUB, number, first), f"{cls.__name__}.{node.attr}"
        if all(isinstance(each, int) or is_symbol(each) for each in told):
            self._body.draft.uses.occur = True
            return Scalar(n.Table(span, name, (len(told),), tuple(map(number_of, told)), (at,)))
        found = one_of(name, told, at)
        if found is None:
            what = f"the values of the members of {cls.__name__} are not of one kind"
            self._body.reject(node, what, "use numbers, texts, or tuples of them that are as long")
        return found

    def _reject_computed(self, member: object, node: ast.Attribute) -> None:
        if hasattr(type(member), "__get__"):
            what = f"{node.attr} is a {type(member).__name__}, which computes its value when it is read"
            self._body.reject(node, what, "write a method, or a @property of the model")

    def _of_model(self, node: ast.Attribute) -> Value:
        name = node.attr
        variable = self._storage.variable(name)
        if variable is not None:
            return self._storage.normal(variable, node)
        if name in self._model.parameters:
            return self._body.known(self._model.parameters[name], node)
        if name in Model._own_names or not hasattr(type(self._model), name):
            reject_unknown(self._body, node)
        return self._of_class(node, type(self._model).__mro__, None)

    def _of_record(self, cls: type, items: tuple[Value, ...], node: ast.Attribute) -> Value:
        assert issubclass(cls, Record)
        names = list(cls._fields)
        if _is_own(cls, node.attr):
            return self._member(cls, RecordOf(cls, items), node)
        if node.attr not in names:
            self._body.reject(node, f"{cls.__name__} has no part '{node.attr}'", f"it has: {', '.join(names)}")
        return self._compounds.order.only(items, [names.index(node.attr)], node)[0]

    def _of_class(self, node: ast.Attribute, mro: tuple[type, ...], after: type | None) -> Value:
        """The member that Python would find, searching from the class behind `after`."""
        if after is not None and after not in mro:
            self._body.reject(node, f"super() of {after.__name__}, which is no base class of the model")
        searched = mro[mro.index(after) + 1 :] if after else mro
        owner = next((cls for cls in searched if node.attr in vars(cls)), None)
        if owner is None:
            reject_unknown(self._body, node)
        member = getattr_static(owner, node.attr)
        match member:
            case FunctionType():
                return Method(member, Itself())
            case Transition():
                if after is None:
                    self._body.reject(
                        node,
                        f"{node.attr} is a transition, and cannot be fired by another one",
                        "move the common code to a method without @transition",
                    )
                return Method(member.function, Itself())
            case Process():
                return Static(member)
            case staticmethod(__func__=FunctionType() as function) if type(member) is staticmethod:
                return Method(function, None)
            case classmethod(__func__=FunctionType() as function) if type(member) is classmethod:
                return Method(function, Static(type(self._model)))
            case property(fget=FunctionType() as getter) if type(member) is property:
                return self._invocations.getter(getter, Itself(), node)
            case _:
                self._reject_computed(member, node)
                return self._body.known(member, node)

    def _unbound(self, value: Value, node: ast.Attribute) -> Value:
        """A member of a class, which is not bound to the model: a method is a function that takes self."""
        match value:
            case Method(function=function, receiver=Itself()):
                return Static(function)
            case _:
                return value


def reject_unknown(body: Body, node: ast.Attribute) -> NoReturn:
    """Rejects an attribute that the model does not have."""
    model = body.draft.model
    variables = list(model._variables)
    declared = ", ".join(_declared(model)) or "none"
    if node.attr in model._synchronous:
        what = f"self.{node.attr} is a synchronous channel: a process sends or receives by it, in a step of its own"
        body.reject(node, what, "write self.c.send(value) or x = self.c.receive() as a statement of a process")
    own = (name for name in dir(type(model)) if name not in Model._own_names)
    known = [*variables, *model.parameters, *own]
    if any(isinstance(part, ast.Call) and part.func is node for part in ast.walk(body.definition.node)):
        methods = [name for name in known if callable(getattr(type(model), name, None))]
        body.reject(
            node,
            f"{type(model).__name__} has no method '{node.attr}'",
            _suggestion(node.attr, methods) or f"write def {node.attr}(self, …) in the class",
        )
    if hasattr(type(model), node.attr):
        what = f"{node.attr} belongs to the class, and does not change"
        body.reject(node, what, "declare a state variable in state(), with another name")
    body.reject(
        node,
        f"'{node.attr}' is not declared in state(); state variables: {declared}",
        _suggestion(node.attr, known) or f"declare it in state(): self.{node.attr} = ...",
    )


def _declared(model: Model) -> list[str]:
    """The state variables that the modeller declared: not those that processes have."""
    return [name for name in model._variables if "." not in name]


def _is_own(cls: type, name: str) -> bool:
    """Whether it is a method or a @property of the class, or of one above it, that the modeller wrote."""
    found = getattr_static(cls, name, None)
    written = found.fget if type(found) is property else found
    owners = (Enum, IntEnum, Record)
    return isinstance(written, FunctionType) and not any(name in vars(owner) for owner in owners)


def _enum_with(member: str, names: Mapping[str, object]) -> str | None:
    """The first name of an Enum that has the member."""
    enums = {name: known for name, known in names.items() if isinstance(known, type) and issubclass(known, Enum)}
    return next((name for name, known in enums.items() if member in known.__members__), None)


def _public(known: ModuleType | type) -> list[str]:
    return [name for name in dir(known) if not name.startswith("_")]


def _suggestion(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, list(known), n=1)
    return f"did you mean '{close[0]}'?" if close else ""
