"""The source of functions as syntax trees: found by file and line, and what their statements assign.

A tree is taken only if it compiles to the very code that Python would run. A file may have been edited since it was
imported; the text and the objects in memory would then be checked as a mixture that never existed.
"""

from __future__ import annotations
import __future__

import ast
import linecache
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache, reduce
from operator import or_
from types import CellType, CodeType, FunctionType
from typing import Any, TypeVar

from asset.deferred import dataclass
from asset.errors import ModelRejected
from asset.model.spans import definition_span
from asset.span import Span

STEP_MARK = "__asset_step__"
"""The attribute of a function that was made from a step of a process or a part of a formula: its definition, which no
file has."""


@dataclass(frozen=True, slots=True)
class StepDefinition:
    """What such a function was made from, for those who compile it."""

    node: ast.FunctionDef
    head: Span


_FUTURE = reduce(or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # as in the cells of a notebook

_DEFINED = ast.FunctionDef | ast.AsyncFunctionDef
_EDITED = "import it anew: restart Python, or importlib.reload the module; in a notebook, run the cell again"


def tree_of(function: FunctionType) -> ast.FunctionDef:
    """The function's definition in its file; raises ModelRejected if the file has none that means the same."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    text = _text_of(code.co_filename, linecache.getlines(code.co_filename, function.__globals__))
    if not text or code.co_name == "<lambda>":
        remedy = "define it with def in a file (lambda, exec and generated functions cannot be compiled)"
        raise ModelRejected.of(f"the source of {function.__name__} is not available", definition_span(function), remedy)
    source = _read(text, code.co_filename, code.co_flags & _FUTURE)
    found = source.functions.get((code.co_firstlineno, code.co_name))
    if found is None or not source.compiles_to(code):
        message = f"the text of {function.__name__} is not what Python runs: the file changed after it was imported"
        raise ModelRejected.of(message, definition_span(function), _EDITED)
    if not isinstance(found, ast.FunctionDef):
        message = f"{function.__name__} is an async function, which is not part of the language"
        raise ModelRejected.of(message, definition_span(function), "write def")
    return found


_texts: dict[str, tuple[list[str], str]] = {}


def _text_of(file: str, lines: list[str]) -> str:
    """The lines as one text, made once for all functions of the file as long as `linecache` has the same lines."""
    known, text = _texts.get(file, (None, ""))
    if known is not lines:
        text = "".join(lines)
        _texts[file] = lines, text
    return text


@dataclass(frozen=True, slots=True)
class _Source:
    """The functions of a text by their first line (that of the first decorator) and name, and what they compile to."""

    text: str
    file: str
    functions: dict[tuple[int, str], _DEFINED]
    codes: frozenset[Hashable]

    def compiles_to(self, code: CodeType) -> bool:
        meaning = _meaning(code)
        return meaning in self.codes or ("@pytest_ar" in str(meaning) and meaning in self._rewritten())

    def _rewritten(self) -> frozenset[Hashable]:
        """What the functions of a test module compile to: pytest replaces their assertions."""
        rewriting = sys.modules.get("_pytest.assertion.rewrite")
        if rewriting is None:
            return frozenset()
        tree = ast.parse(self.text, self.file)
        rewriting.rewrite_asserts(tree, self.text.encode(), self.file)
        return _meanings(compile(tree, self.file, "exec", dont_inherit=True))


@lru_cache(maxsize=16)
def _read(text: str, file: str, future: int) -> _Source:
    try:
        tree = ast.parse(text, file)
        code = compile(tree, file, "exec", future | _FLAGS, dont_inherit=True)
    except (SyntaxError, ValueError):  # it was another text when it was imported
        return _Source(text, file, {}, frozenset())
    functions = [node for node in _statements(tree) if isinstance(node, _DEFINED)]
    by_line = {(min([f.lineno, *(d.lineno for d in f.decorator_list)]), f.name): f for f in functions}
    return _Source(text, file, by_line, _meanings(code))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements in the tree: expressions have none in them."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += [part for part in parts_of(node) if not isinstance(part, ast.expr)]


def _meanings(code: CodeType) -> frozenset[Hashable]:
    """What the code means, and all code in it."""
    inner = (_meanings(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset((_meaning(code),)).union(*inner)


def _meaning(constant: object) -> Hashable:
    """Equal for two pieces of code, or two constants of code, only if they do the same at the same line."""
    match constant:
        case CodeType() as code:
            names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
            arguments = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
            constants = tuple(map(_meaning, code.co_consts))
            instructions = (code.co_code, code.co_exceptiontable)
            return (code.co_name, code.co_firstlineno, names, arguments, constants, instructions)
        case tuple():
            return tuple(map(_meaning, constant))
        case frozenset():
            return frozenset(map(_meaning, constant))
        case _:  # 1, 1.0 and True are equal, but not the same
            return type(constant), repr(constant)


WHEN = "asset.when"
"""No name that a modeller can write: it cannot hide one of the model's."""

MADE = "~"
"""In names that no text has."""

N = TypeVar("N", bound=ast.AST)
T = TypeVar("T")


def placed(node: N, at: ast.stmt | ast.expr) -> N:
    """The node, with all its parts that have no place yet at that place: of a statement with a body, at its head."""
    head = _head(at)
    for part in ast.walk(node):
        if isinstance(part, ast.stmt | ast.expr) and not hasattr(part, "lineno"):
            ast.copy_location(part, at)
            part.end_lineno, part.end_col_offset = head.end_lineno, head.end_col_offset
    return node


_PLAIN = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
"""Nodes that have no place and no parts: one may stand in several places."""


def copied(tree: T, memo: dict[int, Any] | None = None) -> T:
    """What `deepcopy` gives of a syntax tree or a list of them, in a fraction of its time: nothing in a tree is shared.
    `memo` has what stands for some nodes, and gets the copies of all others."""
    if memo is not None and id(tree) in memo:
        return memo[id(tree)]  # type: ignore[no-any-return]
    if isinstance(tree, list):
        return [copied(part, memo) for part in tree]  # type: ignore[return-value]
    if not isinstance(tree, ast.AST) or isinstance(tree, _PLAIN):
        return tree
    node = tree.__class__.__new__(tree.__class__)
    parts = {
        name: copied(part, memo) if isinstance(part, ast.AST | list) else part for name, part in vars(tree).items()
    }
    vars(node).update(parts)
    if memo is not None:
        memo[id(tree)] = node
    return node


def names_of_clauses(node: ast.AST) -> set[str]:
    """The names that comprehensions in it bind."""
    clauses = [part for part in ast.walk(node) if isinstance(part, ast.comprehension)]
    return {name.id for clause in clauses for name in ast.walk(clause.target) if isinstance(name, ast.Name)}


def _head(statement: ast.stmt | ast.expr) -> ast.stmt | ast.expr:
    """The part with which the first line of the statement ends, if more lines follow that are statements too."""
    match statement:
        case ast.If(test=test) | ast.While(test=test):
            return test
        case ast.For(iter=over):
            return over
        case ast.Match(subject=subject):
            return subject
    return statement


def says_nothing(annotation: ast.AnnAssign, function: ast.FunctionDef) -> bool:
    """Whether it is about a name that never gets a value: Python takes `when: x < 3` for that."""
    target = annotation.target
    return annotation.value is None and isinstance(target, ast.Name) and stored_names(function.body)[target.id] == 1


def nothing_said(annotation: ast.AnnAssign) -> tuple[str, str]:
    """What to say of that, and what to do instead."""
    name, said = ast.unparse(annotation.target), ast.unparse(annotation.annotation)
    remedy = f"write when({said})" if name == "when" else "assign a value, or leave it out"
    return f"this says what {name} is, and {name} never gets a value", remedy


_CHANGING = {"append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem", "remove", "discard"}
_CHANGING |= {"add", "clear", "sort", "reverse", "rotate", "update", "setdefault"}
_CHANGING |= {"difference_update", "intersection_update", "symmetric_difference_update"}
"""Methods that change a list, a set, a dict or a deque."""


def changed_in_place(statements: Iterable[ast.AST]) -> set[str]:
    """The names of collections of which a part, or the whole, is changed without an assignment to the name."""
    found = set()
    for part in (part for statement in statements for part in ast.walk(statement)):
        match part:
            case ast.Subscript(ctx=ast.Store() | ast.Del()) as changed:
                pass
            case ast.Call(func=ast.Attribute(value=changed, attr=method)) if method in _CHANGING:
                pass
            case _:
                continue
        while isinstance(changed, ast.Subscript | ast.Attribute):
            changed = changed.value
        if isinstance(changed, ast.Name):
            found.add(changed.id)
    return found


class Substituting(ast.NodeTransformer):
    """Names as what they stand for."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._values.get(node.id)
        if value is None:
            return node
        if isinstance(value, ast.Name):
            return ast.copy_location(ast.Name(value.id, node.ctx), node)
        return deepcopy(value)


def called(function: Callable[..., Any], *given: ast.expr, keywords: Sequence[ast.keyword] = ()) -> ast.Call:
    """A call of one of Python's own functions, whatever its name means in the model: a constant, which no text has."""
    callee: Any = function
    return placed(ast.Call(ast.Constant(callee), list(given), list(keywords)), given[0])


def stored_names(statements: Iterable[ast.AST]) -> Counter[str]:
    """The names that the statements assign, with how often; those of match patterns too. The names of a generator
    expression are its own."""
    found: Counter[str] = Counter()
    pending = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                found[node.id] += 1
            continue
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name is not None:
            found[node.name] += 1
        parts = parts_of(node)
        if isinstance(node, ast.comprehension):
            parts.remove(node.target)
        pending += parts
    return found


_CONTEXTS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


def parts_of(node: ast.AST) -> list[ast.AST]:
    """The direct parts of a syntax tree, without operators and contexts, which have no parts: all of a model is walked
    over several times."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [part for part in value if isinstance(part, ast.AST) and not isinstance(part, _CONTEXTS)]
        elif isinstance(value, ast.AST) and not isinstance(value, _CONTEXTS):
            found.append(value)
    return found


def closure_of(function: FunctionType) -> dict[str, object]:
    """What the names of enclosing functions mean in the function, as far as they have a value."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found: dict[str, object] = {}
    for name, cell in cells:
        try:
            found[name] = cell.cell_contents
        except ValueError:  # it has no value yet
            continue
    return found


def function_from(
    node: ast.FunctionDef, original: FunctionType, more: Mapping[str, CellType] | None = None
) -> FunctionType:
    """The definition as a function in the surroundings of the original one, with more names besides."""
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    cells |= more or {}
    outer = ast.FunctionDef(
        name="surroundings",
        args=ast.arguments([], [ast.arg(name) for name in cells], None, [], [], None, []),
        body=[node],
        decorator_list=[],
    )
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(outer, node)], []))
    compiled = compile(module, original.__code__.co_filename, "exec")
    surroundings = next(c for c in compiled.co_consts if hasattr(c, "co_consts"))
    code = next(c for c in surroundings.co_consts if hasattr(c, "co_consts"))
    closure = tuple(cells[name] for name in code.co_freevars)
    return FunctionType(code, original.__globals__, node.name, None, closure)


class WithoutSelf(ast.NodeTransformer):
    """`self.n` as `n`: text over what the model has."""

    def __init__(self, itself: str) -> None:
        self._itself = itself

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == self._itself:
            return ast.copy_location(ast.Name(node.attr, ast.Load()), node)
        return self.generic_visit(node)
