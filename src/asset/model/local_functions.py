"""Functions inside of a method: a lambda with a name, a `def` that only returns, or a `def` of several statements.

A call of one that is an expression is that expression with the arguments in the place of its parameters. One of several
statements becomes a function of its own, which is given the local variables of the method that it uses. Other names
mean what they mean at the call, as they do in Python; so a function is left as it is if a comprehension around the call
gives them another meaning.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property
from inspect import CO_GENERATOR
from itertools import count
from types import FunctionType
from typing import Any

from asset.model.spans import span_of
from asset.model.steps.choosing import choices_in, conditional_parts, denoted
from asset.model.syntax_trees import (
    MADE,
    STEP_MARK,
    StepDefinition,
    Substituting,
    function_from,
    names_of_clauses,
    placed,
    stored_names,
)

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FIXED = ast.Name | ast.Constant | ast.UnaryOp | ast.Tuple
_READING = ast.Attribute | ast.Subscript | ast.BinOp | ast.Compare
"""Expressions that change nothing when they are evaluated. The first ones cannot fail, and what they read is in no
state."""


class LocalFunction:
    """An expression with parameters, in a function of the model."""

    _numbers = count()

    def __init__(self, parameters: ast.arguments, body: ast.expr, around: FunctionType) -> None:
        self._arguments, self._body, self._around = parameters, body, around
        self.parameters = [argument.arg for argument in (*parameters.posonlyargs, *parameters.args)]
        others = parameters.kwonlyargs or parameters.vararg or parameters.kwarg or parameters.defaults
        inner = [part for part in ast.walk(body) if isinstance(part, ast.Lambda | ast.NamedExpr | ast.Yield)]
        self.is_plain = not others and not inner

    def takes(self, call: ast.Call) -> bool:
        """Whether the arguments can be put in the place of the parameters: to evaluate them later, again, or not at all
        must change nothing."""
        if call.keywords or len(call.args) != len(self.parameters):
            return False
        return all(self._takes(name, given) for name, given in zip(self.parameters, call.args, strict=True))

    def _takes(self, name: str, given: ast.expr) -> bool:
        parts = [part for part in ast.walk(given) if isinstance(part, ast.expr)]
        if all(isinstance(part, _FIXED) for part in parts):
            return True
        if not all(isinstance(part, _FIXED | _READING) for part in parts) or self._may_change():
            return False
        return self._is_variable(given) or name in self._always()

    def _is_variable(self, given: ast.expr) -> bool:
        """Whether it is `self.name`: to read that cannot fail."""
        match given:
            case ast.Attribute(value=ast.Name(id=name)):
                return (name,) == self._around.__code__.co_varnames[:1]
            case _:
                return False

    def _may_change(self) -> bool:
        """Whether the body may change the state before it comes to a parameter."""
        calls = (part.func for part in ast.walk(self._body) if isinstance(part, ast.Call))
        return not all(map(self._is_builtin, calls))

    def _is_builtin(self, callee: ast.expr) -> bool:
        if not isinstance(callee, ast.Name) or callee.id in self._around.__code__.co_varnames:
            return False
        return hasattr(builtins, callee.id) and denoted(callee, self._around) is None

    def _always(self) -> set[str]:
        """The names that are evaluated whenever the body is."""
        perhaps = {id(inner) for part in conditional_parts(self._body) for inner in ast.walk(part)}
        return {part.id for part in ast.walk(self._body) if isinstance(part, ast.Name) and id(part) not in perhaps}

    def free(self) -> set[str]:
        """The names that mean what they mean at the call."""
        names = {part.id for part in ast.walk(self._body) if isinstance(part, ast.Name)}
        return names - set(self.parameters) - names_of_clauses(self._body)

    def put_into(self, call: ast.Call) -> ast.expr:
        return placed(self.applied(call.args), call)

    def as_lambda(self) -> ast.Lambda:
        return ast.Lambda(deepcopy(self._arguments), deepcopy(self._body))

    def applied(self, arguments: Sequence[ast.expr]) -> ast.expr:
        """The expression for these arguments; what comprehensions in it bind gets names of its own."""
        number = next(self._numbers)
        renamed: dict[str, ast.expr] = {n: ast.Name(f"{n}{MADE}{number}") for n in names_of_clauses(self._body)}
        known = dict(zip(self.parameters, arguments, strict=True))
        made: ast.expr = Substituting({**known, **renamed}).visit(deepcopy(self._body))
        return made


class LiftedFunction:
    """A function of several statements, as one that stands beside the method: what it uses of it is passed to it."""

    def __init__(self, node: ast.FunctionDef, around: FunctionType, local: set[str]) -> None:
        self._node, self._around = node, around
        own = {argument.arg for argument in node.args.args} | set(stored_names(node.body)) | names_of_clauses(node)
        used = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
        self.given = [name for name in dict.fromkeys(used) if name in local and name not in own]
        others = node.args.posonlyargs or node.args.kwonlyargs or node.args.vararg or node.args.kwarg
        outside = (ast.Nonlocal, ast.Global, ast.Yield, ast.YieldFrom, ast.FunctionDef, ast.Lambda)
        inner = [part for part in ast.walk(node) if isinstance(part, outside) and part is not node]
        self.is_plain = not (others or node.args.defaults or node.decorator_list or inner or node.name in used)

    def takes(self, call: ast.Call) -> bool:
        return not call.keywords and len(call.args) == len(self._node.args.args)

    def free(self) -> set[str]:
        """The names that mean what they mean at the call."""
        return set(self.given)

    @cached_property
    def function(self) -> FunctionType:
        node = deepcopy(self._node)
        node.args.args += [ast.arg(name) for name in self.given]
        calls_others = any(isinstance(part, ast.Constant) and callable(part.value) for part in ast.walk(node))
        shell = ast.FunctionDef(node.name, node.args, [ast.Pass()] if calls_others else node.body, [])
        made = function_from(ast.fix_missing_locations(ast.copy_location(shell, node)), self._around)
        file, line, column = self._around.__code__.co_filename, node.lineno, node.col_offset
        head = span_of(file, line, line, (column, column + len(f"def {node.name}".encode())))
        setattr(made, STEP_MARK, StepDefinition(node, head))
        return made

    def put_into(self, call: ast.Call) -> ast.expr:
        """A call of it; what it uses of the method is evaluated last."""
        end = ast.Pass(lineno=call.end_lineno or call.lineno, col_offset=call.end_col_offset or call.col_offset)
        used = [ast.copy_location(ast.Name(name, ast.Load()), end) for name in self.given]
        callee: Any = self.function
        return placed(ast.Call(placed(ast.Constant(callee), call.func), [*call.args, *used], []), call)


def without_local_functions(tree: ast.FunctionDef, around: FunctionType) -> ast.FunctionDef:
    """The tree of a function with local functions put where they are used, where that can be done."""
    stores = stored_names(tree.body)
    parameters = {argument.arg for argument in tree.args.args}
    local = parameters | _assigned(tree.body)
    is_compiled_again = around.__code__.co_flags & CO_GENERATOR or next(choices_in(tree, around), None)
    may_lift = not is_compiled_again
    for block in list(_blocks(tree)):
        for statement in list(block):
            name, function = _local_function(statement, around, local, may_lift)
            is_only = stores[name] == (1 if isinstance(statement, ast.Assign) else 0) and name not in parameters
            if function is None or not function.is_plain or not is_only:
                continue
            at = block.index(statement)
            if _is_clear(tree, name, function, block[at + 1 :]):
                rest = [_Using(name, function).visit(later) for later in block[at + 1 :]]
                block[at:] = rest or [placed(ast.Pass(), statement)]
    return tree


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def _assigned(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that the statements assign, but for those of functions in them."""
    found = _WithoutFunctions().visit(ast.Module([deepcopy(statement) for statement in statements], []))
    return set(stored_names(found.body))


class _WithoutFunctions(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return placed(ast.Pass(), node)


def _is_clear(
    tree: ast.FunctionDef, name: str, function: LocalFunction | LiftedFunction, later: Sequence[ast.stmt]
) -> bool:
    """Whether all that is done with the name, by what comes after it, is to call the function or to pass it on."""
    found = [use for statement in later for use in _uses(statement, name, set())]
    is_passed = isinstance(function, LocalFunction)
    fit = all(not bound & function.free() and (function.takes(call) if call else is_passed) for call, bound in found)
    loads = [part for part in ast.walk(tree) if isinstance(part, ast.Name) and part.id == name]
    return fit and len(found) == sum(isinstance(part.ctx, ast.Load) for part in loads)


def _local_function(
    statement: ast.stmt, around: FunctionType, local: set[str], may_lift: bool
) -> tuple[str, LocalFunction | LiftedFunction | None]:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=parameters, body=body)):
            return name, LocalFunction(parameters, body, around)
        case ast.FunctionDef(
            name=name, args=parameters, body=[ast.Return(value=ast.expr() as body)], decorator_list=[]
        ):
            return name, LocalFunction(parameters, body, around)
        case ast.FunctionDef(name=name) if may_lift:
            return name, LiftedFunction(statement, around, local)
        case _:
            return "", None


def _uses(node: ast.AST, name: str, bound: set[str]) -> Iterator[tuple[ast.Call | None, set[str]]]:
    """The calls of the function, None where it is an argument; each with the names that comprehensions bind there."""
    if isinstance(node, ast.Call):
        if _is_name(node.func, name):
            yield node, bound
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        yield from ((None, bound) for part in given if _is_name(part, name))
    if isinstance(node, _COMPREHENSIONS):
        clauses = [part for clause in node.generators for part in ast.walk(clause.target)]
        bound = bound | {part.id for part in clauses if isinstance(part, ast.Name)}
    if isinstance(node, ast.FunctionDef):
        bound = bound | {argument.arg for argument in node.args.args} | set(stored_names(node.body))
    for part in ast.iter_child_nodes(node):
        yield from _uses(part, name, bound)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


class _Using(ast.NodeTransformer):
    """The function in the place of its name."""

    def __init__(self, name: str, function: LocalFunction | LiftedFunction) -> None:
        self._name, self._function = name, function

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not _is_name(node.func, self._name):
            return self.generic_visit(node)
        node.args = [self.visit(part) for part in node.args]
        return self._function.put_into(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id != self._name:
            return node
        assert isinstance(self._function, LocalFunction)
        return placed(self._function.as_lambda(), node)
