"""Expressions: what they denote, as values, numbers, conditions and texts."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NoReturn

from asset.frontends.python.body import Body
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.constants import is_immutable
from asset.frontends.python.evaluation_order import EvaluationOrder
from asset.frontends.python.expressions.builtin_functions import BuiltinFunctions
from asset.frontends.python.expressions.calls import Calls
from asset.frontends.python.expressions.comparisons import Comparisons
from asset.frontends.python.expressions.comprehensions import Comprehensions
from asset.frontends.python.expressions.folds import Folds
from asset.frontends.python.expressions.invocations import FunctionCompiler, Invocations
from asset.frontends.python.expressions.iterables import Iterables
from asset.frontends.python.expressions.names import Names
from asset.frontends.python.expressions.operators import Operators
from asset.frontends.python.expressions.subscripts import Subscripts
from asset.frontends.python.holding import Holding
from asset.frontends.python.ir_expressions import constant
from asset.frontends.python.local_shapes import holds_place
from asset.frontends.python.problems import OUTSIDE, Rejected
from asset.frontends.python.storage import Storage
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Itself,
    Method,
    Operation,
    Poison,
    RangeOf,
    RecordOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    Super,
    TableRef,
    Truth,
    TupleOf,
    Value,
)
from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN
from asset.ir.shapes import Collection, OptionalShape
from asset.model.symbols import is_symbol, number_of


class ExpressionCompiler:
    """Compiles the expressions of one function: it brings together the parts, each of which deals with some kinds.

    It is the `Evaluation` with which the parts compile the expressions inside theirs.
    """

    def __init__(self, body: Body, functions: FunctionCompiler) -> None:
        self._body = body
        self.storage = Storage(body)
        self.holding = Holding(body, self, self.storage)
        order = EvaluationOrder(body)
        self.compounds = Compounds(body, self, self.storage, order, self.holding)
        self.invocations = Invocations(body, self, self.storage, self.holding, functions)
        names = Names(body, self, self.storage, self.compounds, self.invocations)
        self._subscripts = subscripts = Subscripts(body, self, self.compounds)
        self.iterables = Iterables(body, self, subscripts, self.compounds, self.holding)
        self.operators = Operators(body, self, self.compounds)
        comparisons = Comparisons(body, self, self.compounds, self.storage, order)
        self.comprehensions = Comprehensions(body, self, self.iterables, self.compounds, order)
        folds = Folds(body, self, self.iterables, order, self.comprehensions)
        builtins = BuiltinFunctions(body, self, self.compounds, subscripts, folds)
        self._calls = Calls(body, self, self.invocations, builtins, self.compounds)
        self._compile: dict[type[ast.expr], Callable[[Any], Value]] = {
            ast.Constant: self._literal,
            ast.Tuple: self._tuple,
            ast.Set: self._set,
            ast.List: self.comprehensions.list_,
            ast.Dict: self.comprehensions.dict_,
            ast.ListComp: self.comprehensions.comprehension,
            ast.SetComp: self.comprehensions.comprehension,
            ast.DictComp: self.comprehensions.comprehension,
            ast.GeneratorExp: self.comprehensions.comprehension,
            ast.Name: names.name,
            ast.Attribute: names.attribute,
            ast.Subscript: self._subscript,
            ast.BinOp: self.operators.binary,
            ast.UnaryOp: self.operators.unary,
            ast.BoolOp: self.operators.boolean,
            ast.IfExp: self.operators.conditional,
            ast.Compare: comparisons.comparison,
            ast.Call: self._calls.call,
        }

    def evaluate(self, node: ast.expr) -> Value:
        """What the expression denotes."""
        compile_node = self._compile.get(type(node))
        if compile_node is None:
            what = f"{type(node).__name__} is not part of the language"
            self._body.reject(node, *OUTSIDE.get(type(node), (what, "")))
        return compile_node(node)

    def evaluate_now(self, node: ast.expr) -> Value:
        """The value of a whole right-hand side: what it changes is changed before anything else is done."""
        return self._calls.call(node, comes_first=True) if isinstance(node, ast.Call) else self.evaluate(node)

    def _literal(self, node: ast.Constant) -> Value:
        return Static(node.value)

    def _tuple(self, node: ast.Tuple) -> Value:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            return self.comprehensions.row(node.elts, Collection.TUPLE, node)
        items = tuple(self.evaluate(part) for part in node.elts)
        if all(isinstance(item, Static) for item in items):
            return Static(tuple(item.value for item in items if isinstance(item, Static)))
        return TupleOf(items)

    def _set(self, node: ast.Set) -> Value:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            return self.comprehensions.set_(node)
        items = tuple(self.evaluate(part) for part in node.elts)
        for part, item in zip(node.elts, items, strict=True):
            if holds_place(item):
                self._body.reject(part, "this may change: a set takes a copy of it", "write x.copy()")
        return SetOf(items)

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.slice, ast.Slice):
            return self.comprehensions.sliced(self.evaluate(node.value), node)
        return self._subscripts.subscript(node)

    # --- numbers --------------------------------------------------------------------------------------------------

    def scalar(self, node: ast.expr) -> n.Expr:
        """The expression as a number."""
        return self.number(self.evaluate(node), node)

    def number(self, value: Value, node: ast.expr) -> n.Expr:
        """The value as a number; rejects what is none."""
        match value:
            case Scalar(expr):
                return expr
            case SlotRef(slot):
                return n.Local(self._body.span(node), slot)
            case Static(int() as known):
                if not INT_MIN <= known <= INT_MAX:
                    self._body.reject(node, f"the constant {int(known)} does not fit 64 bits")
                return n.Const(self._body.span(node), int(known))
            case Static(known) if is_symbol(known):
                self._body.draft.uses.occur = True
                return n.Const(self._body.span(node), number_of(known))
            case Static(known):
                self._body.reject(node, *_no_number(known))
            case Compound():
                return self.compounds.number(value, node)
            case _:
                self._reject_number(value, node)

    def _reject_number(self, value: Value, node: ast.expr) -> NoReturn:
        match value:
            case Poison():
                raise Rejected
            case ArrayRef(name=name):
                what, remedy = f"the Array {name}", "index it, or use sum, any, all, min or max"
            case TableRef() | TupleOf():
                what, remedy = "a tuple", "index it"
            case RangeOf():
                what, remedy = "a range", "loop over it"
            case RecordOf(cls=cls):
                what, remedy = f"a {cls.__name__}", "name one of its parts"
            case SetOf():
                what, remedy = "a set", "assign it to a Set in the state"
            case Truth(operand=operand):
                what = f"and, or hand on {operand} itself, not whether it is empty"
                self._body.reject(node, what, f"write bool({operand})")
            case Operation(name=name):
                what, remedy = f"the method {name}", f"call it: {name}(...)"
            case Method(function=function):
                what, remedy = f"the method {function.__name__}", f"call it: self.{function.__name__}(...)"
            case Itself() | Super():
                what, remedy = "the model itself", "use its state variables"
            case _:
                what, remedy = "this", ""
        self._body.reject(node, f"{what} is used as a number", remedy)

    # --- conditions -----------------------------------------------------------------------------------------------

    def condition(self, node: ast.expr) -> n.Expr | bool:
        """The expression as a condition: True or False if that is known now."""
        value = self.operators.boolean(node, tested=True) if isinstance(node, ast.BoolOp) else self.evaluate(node)
        return self.truth(value, node)

    def truth(self, value: Value, node: ast.expr) -> n.Expr | bool:
        """Whether Python takes the value for true: True or False if that is known now."""
        if isinstance(value, Static) and is_immutable(value.value):
            return bool(value.value)
        if isinstance(value, Compound):
            return self.compounds.truth(value, node)
        if isinstance(value, TupleOf) and not self._body.has_acted:
            self.compounds.order.drop(value.items)
            return bool(value.items)
        expr = value.expr if isinstance(value, Truth) else self.number(value, node)
        known = constant(expr)
        return expr if known is None else bool(known)

    def attempt(self, node: ast.expr) -> n.Expr | bool:
        """The condition; if it is rejected, that is recorded and compiling goes on with what depends on it."""
        try:
            return self.condition(node)
        except Rejected as rejected:
            self._body.fail(rejected)
            return n.Local(self._body.span(node), self._body.new_slot("rejected"))

    def attempt_lazily(self, node: ast.expr) -> n.Expr | bool:
        """The same of a condition that may not be evaluated, or more than once."""
        known: list[bool] = []

        def compiled() -> n.Expr:
            test = self.attempt(node)
            if isinstance(test, bool):
                known.append(test)
            return n.Const(self._body.span(node), int(test)) if isinstance(test, bool) else test

        expr = self._body.lazily(compiled, self._body.span(node))
        return known[0] if known and isinstance(expr, n.Const) else expr

    # --- text -----------------------------------------------------------------------------------------------------

    def text(self, node: ast.expr) -> tuple[str | n.Expr, ...]:
        """A message: text, with values known at run time in it."""
        match node:
            case ast.JoinedStr(values=parts):
                return tuple(piece for part in parts for piece in self.text(part))
            case ast.FormattedValue(value=inner):
                return self._formatted(inner)
            case ast.BinOp(op=ast.Add()):
                return (*self.text(node.left), *self.text(node.right))
            case _:
                return self._formatted(node)

    def _formatted(self, node: ast.expr) -> tuple[str | n.Expr, ...]:
        """The value as a part of a text; what has parts itself is named, as the state shows it."""
        value = self.evaluate(node)
        match value:
            case Static(known):
                return (str(known),)
            case TupleOf() | RecordOf() | SetOf() | ArrayRef() | TableRef():
                return (f"{{{ast.unparse(node)}}}",)
            case Compound() if not isinstance(value.shape, OptionalShape):
                return (f"{{{ast.unparse(node)}}}",)
            case _:
                return (self.number(value, node),)


def _no_number(known: object) -> tuple[str, str]:
    """What to say of something known now that is used as a number, and what to do instead."""
    match known:
        case float() | complex():
            return f"{known!r} is not an integer", "the language has integers only"
        case str():
            return "the empty text is not a value of the language", 'give it a name: "none", or use None'
        case None:
            return "None is used as a number", "declare Optional(item) in state(), or use a value of its own"
        case tuple():
            return "a tuple stands where a number is needed", "use one of its parts: [0] is the first"
        case list() | dict() | set():
            what = f"a {type(known).__name__} is not part of the language, as it may change"
            return what, "use a tuple for constants, or an Array in the state"
        case _:
            name = getattr(known, "__name__", f"a {type(known).__name__}")
            remedy = f"call it: {name}(...)" if callable(known) and not isinstance(known, type) else ""
            return f"{name} is used as a number", remedy
