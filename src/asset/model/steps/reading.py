"""From the text of a generator to its control flow: helper processes put in place, `for` over a yield made `while`."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NoReturn

from asset.errors import ModelRejected
from asset.ir.rounds import rounds_of
from asset.ir.shapes import ArrayShape, Shape
from asset.model.plain_statements import plain_tree_of
from asset.model.spans import span_of
from asset.model.steps.choosing import WrittenOut, choices_in, conditional_parts, unclear_place
from asset.model.steps.control_flow import Block, Flow, For, Goto, If, Jump, Match, Plain, Scope, While, Yield
from asset.model.syntax_trees import changed_in_place, closure_of, nothing_said, placed, says_nothing, stored_names


@dataclass(frozen=True, slots=True)
class Assigned:
    """A place where a local variable is given a value: that of an expression, or an element of what is iterated over.
    None if the text does not say which."""

    name: str
    value: ast.expr | None
    is_element: bool
    at: ast.stmt
    part: int | None = None
    """Which item of the value, a tuple, it is given; None if it is given all of it."""


@dataclass(frozen=True, slots=True)
class _LoopCounter:
    """A variable that counts the rounds of a loop. If `runs` is true, there is at least one."""

    name: str
    stop: ast.expr
    stride: int
    runs: bool = False


class Reader:
    """Reads one process of one model: helper processes are those of its class, parameters have their values."""

    def __init__(self, model: object, function: FunctionType, shapes: Mapping[str, Shape]) -> None:
        self.cls = type(model)
        self.function = function
        self._scope = vars(builtins) | function.__globals__ | closure_of(function)
        self._model = model
        self._shapes = shapes
        self.assigned: list[Assigned] = []
        self.annotated: dict[str, ast.expr] = {}
        self.fixed: dict[str, ast.Assign] = {}
        self._results: list[ast.expr | None] = []
        self._inside: list[FunctionType] = [function]
        self._inlined: dict[str, int] = {}
        self._hidden: dict[str, int] = {}
        self._renamed: list[ast.AST] = []
        self.tree = tree = plain_tree_of(function)
        self.itself, *self.indices = [argument.arg for argument in tree.args.args]

    @property
    def outside(self) -> Mapping[str, object]:
        """What the names that the process does not assign to mean."""
        own = {each.name for each in self.assigned}
        return {name: value for name, value in self._scope.items() if name not in own}

    def flow(self) -> Block:
        """The process as a whole."""
        for name in stored_names(self.tree.body):
            if name in self.indices:
                self.reject(self.tree.body[0], f"{self.tree.name} assigns to its own index {name}", "use a local")
        return self.block(self.tree.body[self._read_fixed() :])

    def _read_fixed(self) -> int:
        """How many statements at the beginning name what never changes: such names are no state."""
        stored, changed = stored_names(self.tree.body), changed_in_place(self.tree.body)
        for position, statement in enumerate(self.tree.body):
            match statement:
                case ast.Expr(value=ast.Constant()):
                    pass
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                    stored[name] == 1 and name not in changed and self._is_static(value)
                ):
                    self._record(statement)
                    self.fixed[name] = statement
                case _:
                    return position
        return len(self.tree.body)

    def reject(self, node: ast.stmt | ast.expr, message: str, remedy: str = "") -> NoReturn:
        end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset + 1)
        if end[0] > node.lineno and isinstance(node, ast.stmt):  # a compound statement: its first line
            end = (node.lineno, node.col_offset + 1)
        span = span_of(self.function.__code__.co_filename, node.lineno, end[0], (node.col_offset, end[1]))
        raise ModelRejected.of(message, span, remedy)

    # --- statements -----------------------------------------------------------------------------------------------

    def block(self, statements: Sequence[ast.stmt]) -> Block:
        return tuple(flow for statement in statements for flow in self._statement(statement))

    def _statement(self, node: ast.stmt) -> Sequence[Flow]:
        match node:
            case ast.Expr(value=ast.Constant()):  # a docstring: where it stands is no point of its own
                return []
            case ast.Expr(value=ast.Yield(value=label)):
                return [Yield(node, self._label(label))]
            case ast.Expr(value=ast.YieldFrom(value=call)):
                return [self._inline(call, None, node)]
            case ast.Assign(targets=[target], value=ast.YieldFrom(value=call)):
                return [self._inline(call, target, node)]
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                if says_nothing(node, self.tree):
                    self.reject(node, *nothing_said(node))
                self.annotated[name] = node.annotation
                return [] if value is None else [self._plain(node)]
        if not self._is_structured(node):
            return [self._plain(node)]
        read = _READERS.get(type(node))
        if isinstance(node, ast.FunctionDef):
            self.reject(node, "a function of several statements stands in a process", "make it a method or a function")
        if isinstance(node, ast.Try | ast.With):
            self.reject(node, "a yield stands in no try and no with", "what they do is no part of the language")
        if read is None:
            self.reject(node, "yield stands alone, as a statement", "assign in a statement of its own")
        return read(self, node)

    def _label(self, node: ast.expr | None) -> str | None:
        if node is None or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            return None if node is None else str(node.value)
        self.reject(node, "yield takes no value but a label: text", 'write yield, or yield "critical"')

    def _is_structured(self, node: ast.stmt) -> bool:
        """Whether the statement may end the step, leave its block, or choose inside of a part of it."""
        if any(isinstance(part, ast.Yield | ast.YieldFrom | ast.Return) for part in ast.walk(node)):
            return True
        if isinstance(node, ast.If | ast.Match | ast.While | ast.For) and next(self._choices(node), None):
            return True
        return _jumps_out(node)

    def _choices(self, node: ast.AST) -> Iterator[ast.Call]:
        return choices_in(node, self.function)

    def _plain(self, node: ast.stmt) -> Plain:
        if next(self._choices(node), None) is not None:
            node = WrittenOut(self.function, self._model).visit(deepcopy(node))
        for part in ast.walk(node):
            if isinstance(part, ast.expr):
                self._check_choices(part)
            self._record(part)
        return Plain(node)

    def _check_choices(self, node: ast.expr) -> None:
        """A choice is made once, whenever the step comes to the expression."""
        arguments = (part for choice in self._choices(node) for part in choice.args)
        for part in (*conditional_parts(node), *arguments):
            for choice in self._choices(part):
                self.reject(choice, *unclear_place(choice, [node], "assign what it gives beforehand"))

    def _record(self, node: ast.AST) -> None:
        """Which local variables get which values."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._record_target(target, value, node)
            case ast.AnnAssign(target=ast.Name(id=name), value=value, annotation=annotation):
                self.annotated[name] = annotation
                self.assigned.append(Assigned(name, value, False, node))
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                before = placed(ast.Name(name, ast.Load()), target)
                self.assigned.append(Assigned(name, placed(ast.BinOp(before, op, value), node), False, node))
            case ast.For(target=target, iter=iterable):
                self._record_element(target, iterable, node)
            case ast.Match():
                self._record_captures(node)
            case _:
                pass

    def _record_captures(self, node: ast.Match) -> None:
        """A pattern as a whole may be the subject; of its parts nothing is known."""
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name is not None:
                    value = node.subject if part is case.pattern else None
                    self.assigned.append(Assigned(part.name, value, False, node))

    def _record_target(self, target: ast.expr, value: ast.expr, at: ast.stmt) -> None:
        match target, value:
            case ast.Name(id=name), _:
                self.assigned.append(Assigned(name, value, False, at))
            case ast.Tuple(elts=parts), ast.Tuple(elts=values) if len(parts) == len(values):
                for part, one in zip(parts, values, strict=True):
                    self._record_target(part, one, at)
            case ast.Tuple(elts=parts), ast.Call() | ast.Attribute() | ast.Subscript() if all(
                isinstance(part, ast.Name | ast.Attribute | ast.Subscript) for part in parts
            ):
                names = {k: part.id for k, part in enumerate(parts) if isinstance(part, ast.Name)}
                self.assigned += [Assigned(name, value, False, at, k) for k, name in names.items()]
            case _:
                self.assigned += [Assigned(name, None, False, at) for name in stored_names([target])]

    def _record_element(self, target: ast.expr, iterable: ast.expr, at: ast.stmt) -> None:
        if isinstance(target, ast.Name):
            self.assigned.append(Assigned(target.id, iterable, True, at))
        else:
            self.assigned += [Assigned(name, None, False, at) for name in stored_names([target])]

    # --- what may end a step --------------------------------------------------------------------------------------

    def _if(self, node: ast.If) -> Sequence[Flow]:
        self._check_choices(node.test)
        return [If(node, node.test, self.block(node.body), self.block(node.orelse))]

    def _match(self, node: ast.Match) -> Sequence[Flow]:
        self._record_captures(node)
        for case in node.cases:
            for choice in (c for part in (case.pattern, case.guard) if part for c in self._choices(part)):
                self.reject(choice, "choose stands where it may not be evaluated", "assign what it gives beforehand")
        return [Match(node, tuple(self.block(case.body) for case in node.cases))]

    def _while(self, node: ast.While) -> Sequence[Flow]:
        self._check_choices(node.test)
        forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
        test = None if forever else node.test
        return [While(node, test, self.block(node.body), (), self.block(node.orelse))]

    def _break(self, node: ast.stmt) -> Sequence[Flow]:
        return [Goto(node, Jump.BREAK if isinstance(node, ast.Break) else Jump.CONTINUE)]

    def _return(self, node: ast.Return) -> Sequence[Flow]:
        leave = Goto(node, Jump.LEAVE)
        if node.value is None:
            return [leave]
        if not self._results:
            self.reject(node, "a process returns nothing", "write return")
        target = self._results[-1]
        if target is None:
            self.reject(node, "what this helper process returns is not used", "write return")
        return [self._plain(placed(ast.Assign([deepcopy(target)], node.value), node)), leave]

    # --- for ------------------------------------------------------------------------------------------------------

    def _for(self, node: ast.For) -> Sequence[Flow]:
        if not any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node)):
            if node.orelse:
                self.reject(node.orelse[0], "else after a loop without yield is not part of the language", "use a flag")
            self._record_element(node.target, node.iter, node)
            return [For(node, self.block(node.body))]
        self._record_element(node.target, node.iter, node)
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=[*bounds], keywords=[]) if 1 <= len(bounds) <= 3:
                return self._counted(node, bounds)
            case ast.Attribute() | ast.Name() | ast.Subscript() if self._is_row(node.iter, node.body):
                return self._over(node, node.iter)
            case _:
                self.reject(
                    node.iter,
                    "a loop with a yield in it runs over a range, an Array or a tuple that has a name",
                    "write for k in range(...)",
                )

    def _counted(self, node: ast.For, bounds: list[ast.expr]) -> Sequence[Flow]:
        """The loop's own variable counts if nothing else may see that it goes one step too far."""
        start = self._folded(bounds[0]) if len(bounds) > 1 else placed(ast.Constant(0), node.iter)
        stop = self._folded(bounds[1] if len(bounds) > 1 else bounds[0])
        stride = self._stride(bounds[2]) if len(bounds) > 2 else 1
        rounds = self._rounds(start, stop, stride)
        if rounds == 0:
            return self.block(node.orelse)
        name = node.target.id if isinstance(node.target, ast.Name) else "element"
        itself = self._counts_itself(node)
        counter = name if itself else self._fresh(f"{name}.next")
        self.assigned.append(Assigned(counter, node.iter, True, node))
        before: list[ast.stmt] = [placed(_assign(counter, start), node)]
        if not self._is_fixed(stop, node.body):
            held = self._fresh(f"{name}.stop")
            self.assigned.append(Assigned(held, stop, False, node))
            before.append(placed(_assign(held, stop), node))
            stop = placed(ast.Name(held, ast.Load()), node.iter)
        first = [] if itself else [placed(_assign_to(node.target, counter), node)]
        return self._loop(node, before, _LoopCounter(counter, stop, stride, bool(rounds)), first)

    def _fresh(self, name: str) -> str:
        """A name for a variable that the text does not have; nested loops over one variable need several."""
        count = self._hidden[name] = self._hidden.get(name, 0) + 1
        return name if count == 1 else f"{name}.{count}"

    def _folded(self, node: ast.expr) -> ast.expr:
        """The expression with the lengths of Arrays put in: they never change."""
        folded: ast.expr = _Lengths(self.itself, self._shapes).visit(deepcopy(node))
        return placed(folded, node)

    def _rounds(self, start: ast.expr, stop: ast.expr, stride: int) -> int | None:
        """How many rounds there are, if that is known beforehand."""
        first, last = self._known(start), self._known(stop)
        return None if first is None or last is None else rounds_of(range(first, last, stride))

    def _over(self, node: ast.For, row: ast.expr) -> Sequence[Flow]:
        name = self._fresh(f"{node.target.id}.next" if isinstance(node.target, ast.Name) else "element.next")
        known = self._evaluated(row)
        if isinstance(known, tuple | list):
            length: ast.expr = placed(ast.Constant(len(known)), row)
        else:
            length = self._folded(placed(ast.Call(ast.Name("len", ast.Load()), [row], []), row))
        upto = placed(ast.Call(ast.Name("range", ast.Load()), [length], []), row)
        self.assigned.append(Assigned(name, upto, True, node))
        first = placed(ast.Assign([node.target], ast.Subscript(row, ast.Name(name, ast.Load()), ast.Load())), node)
        zero = placed(ast.Constant(0), node)
        counting = _LoopCounter(name, length, 1, bool(self._rounds(zero, length, 1)))
        return self._loop(node, [placed(_assign(name, zero), node)], counting, [first])

    def _loop(
        self, node: ast.For, before: Sequence[ast.stmt], counting: _LoopCounter, first: Sequence[ast.stmt]
    ) -> Sequence[Flow]:
        before_end: ast.cmpop = ast.Lt() if counting.stride > 0 else ast.Gt()
        compare = ast.Compare(ast.Name(counting.name, ast.Load()), [before_end], [counting.stop])
        step = ast.AugAssign(ast.Name(counting.name, ast.Store()), ast.Add(), ast.Constant(counting.stride))
        body = (*map(Plain, first), *self.block(node.body))
        orelse = self.block(node.orelse)
        test = placed(compare, node.iter)
        return [*map(Plain, before), While(node, test, body, (placed(step, node),), orelse, counting.runs)]

    def _known(self, node: ast.expr) -> int | None:
        """The value of an expression over parameters and constants."""
        value = self._evaluated(node)
        return int(value) if isinstance(value, int) else None

    def _evaluated(self, node: ast.expr) -> object:
        """What an expression over parameters and constants gives; None if it is something else."""
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        if not self._is_static(node) or names & {*self.indices, *self.fixed}:
            return None
        try:
            return eval(compile(ast.Expression(node), "<range>", "eval"), self._scope | {self.itself: self._model})
        except Exception:  # the step itself will say what is wrong with it
            return None

    def _stride(self, node: ast.expr) -> int:
        value = denoted_integer(node)
        if not value:
            self.reject(node, "the step of a range with a yield in its loop is a number other than 0", "write it out")
        return value

    def _counts_itself(self, node: ast.For) -> bool:
        """Whether the variable is assigned by this loop alone, and read in no place that could see it afterwards."""
        if not isinstance(node.target, ast.Name):
            return False
        name = node.target.id
        if stored_names(node.body)[name]:
            return False
        body = self._root(node)
        loops = [part for part in ast.walk(body) if isinstance(part, ast.For) and stored_names([part.target])[name]]
        apart = [loop for loop in loops if loop is node or not any(part is node for part in ast.walk(loop))]
        inside = {id(part) for loop in apart for statement in loop.body for part in ast.walk(statement)}
        uses = (part for part in ast.walk(body) if isinstance(part, ast.Name) and part.id == name)
        return all(id(use) in inside or any(use is loop.target for loop in loops) for use in uses)

    def _root(self, node: ast.For) -> ast.AST:
        """The body of the process or helper process that the loop is in."""
        for body in (*self._renamed, self.tree):
            if any(part is node for part in ast.walk(body)):
                return body
        return self.tree

    def _is_row(self, node: ast.expr, body: list[ast.stmt]) -> bool:
        """Whether it is the same Array or tuple all through the loop."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == self.itself:
                return isinstance(self._shapes.get(attribute), ArrayShape) or self.is_constant(attribute)
            case ast.Subscript(value=base, slice=index):
                return self._is_row(base, body) and self._is_fixed(index, body)
            case _:
                return self._is_fixed(node, body)

    def _is_fixed(self, node: ast.expr, body: list[ast.stmt]) -> bool:
        """Whether the expression has one value all through the loop: it reads parameters, constants, indices and
        variables that the loop does not assign."""
        stored = stored_names(body)
        for part in ast.walk(node):
            match part:
                case ast.Name(id=name) if stored[name]:
                    return False
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == self.itself:
                    if not self.is_constant(attribute):
                        return False
                case ast.Call(func=ast.Name(id="len" | "min" | "max" | "abs")):
                    pass
                case ast.Call() | ast.GeneratorExp():
                    return False
                case _:
                    pass
        return True

    def is_constant(self, attribute: str) -> bool:
        """Whether `self.attribute` is a parameter, or a constant of the class."""
        member = inspect.getattr_static(self.cls, attribute, None)
        if member is None:
            return any(attribute in vars(base).get("__annotations__", {}) for base in self.cls.__mro__)
        return not callable(member) and not isinstance(member, property)

    # --- helper processes -----------------------------------------------------------------------------------------

    def _inline(self, call: ast.expr, target: ast.expr | None, at: ast.stmt) -> Scope:
        """The helper's body in the place of `yield from`, its names apart from those around it."""
        helper = self._helper(call)
        assert isinstance(call, ast.Call)
        tree = plain_tree_of(helper)
        if helper.__globals__ is not self.function.__globals__:
            self.reject(call, f"{helper.__name__} is defined in another file", "define it beside the process")
        if helper in self._inside:
            self.reject(call, f"{helper.__name__} calls itself: recursion is not part of the language", "use a loop")
        prefix = self._prefix(helper.__name__)
        body = deepcopy(tree.body)
        clauses = [part.target for s in body for part in ast.walk(s) if isinstance(part, ast.comprehension)]
        given, renaming = self._arguments(helper, call, prefix, stored_names([*body, *clauses]))
        renaming |= {name: f"{prefix}.{name}" for name in stored_names(body)}
        renamed = [NameReplacer(renaming).visit(statement) for statement in body]
        self._renamed.append(ast.Module(renamed, []))
        self._inside.append(helper)
        self._results.append(target)
        flows = (*map(self._plain, given), *self.block(renamed))
        self._results.pop()
        self._inside.pop()
        self._renamed.pop()
        return Scope(at, flows)

    def _helper(self, call: ast.expr) -> FunctionType:
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)) if name == self.itself:
                member = inspect.getattr_static(self.cls, attribute, None)
                if isinstance(member, FunctionType) and inspect.isgeneratorfunction(member):
                    return member
                if isinstance(member, FunctionType):
                    self.reject(call, f"{attribute} never yields", f"write {ast.unparse(call)}, without yield from")
                if attribute == self.function.__name__:
                    self.reject(call, f"{attribute} would begin again inside itself", "write while True: …")
        self.reject(call, "yield from takes a helper process: a generator method of the model", "write self.name(...)")

    def _prefix(self, name: str) -> str:
        count = self._inlined[name] = self._inlined.get(name, 0) + 1
        return name if count == 1 else f"{name}.{count}"

    def _arguments(
        self, helper: FunctionType, call: ast.Call, prefix: str, stored: dict[str, int]
    ) -> tuple[list[ast.stmt], dict[str, str | ast.expr]]:
        """Assignments of the arguments, and the parameters that need none, as they are given an index or a constant."""
        keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
        try:
            bound = inspect.signature(helper, follow_wrapped=False).bind(
                ast.Name(self.itself, ast.Load()), *call.args, **keywords
            )
        except TypeError as error:
            self.reject(call, f"{helper.__name__}: {error}")
        assignments: list[ast.stmt] = []
        renaming: dict[str, str | ast.expr] = {}
        for name, parameter in bound.signature.parameters.items():
            value = bound.arguments.get(name)
            if value is None and type(parameter.default) not in (int, bool):
                self.reject(call, f"the default of {name} is not a number", f"give {name} here")
            value = placed(ast.Constant(parameter.default), call) if value is None else value
            if not stored[name] and self._is_static(value):
                renaming[name] = value
            else:
                renaming[name] = f"{prefix}.{name}"
                assignments.append(placed(_assign(f"{prefix}.{name}", value), call))
        return assignments, renaming

    def _is_static(self, node: ast.expr) -> bool:
        """Whether the expression has one value all through the run of the process: it is over indices, parameters and
        constants."""
        local = stored_names(self.tree.body).keys() - self.fixed.keys()
        for part in ast.walk(node):
            match part:
                case ast.Name(id=name):
                    known = name in (self.itself, *self.indices, *self.fixed) or name in self._scope
                    if not known or name in local:
                        return False
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == self.itself:
                    if not self.is_constant(attribute):
                        return False
                case ast.Call() | ast.GeneratorExp():
                    return False
                case _:
                    pass
        return True


class _Lengths(ast.NodeTransformer):
    def __init__(self, itself: str, shapes: Mapping[str, Shape]) -> None:
        self._itself, self._shapes = itself, shapes

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(value=ast.Name(id=itself), attr=attribute)]):
                shape = self._shapes.get(attribute)
                if itself == self._itself and isinstance(shape, ArrayShape):
                    return ast.copy_location(ast.Constant(shape.length), node)
        return self.generic_visit(node)


class NameReplacer(ast.NodeTransformer):
    """Gives names other names, or puts expressions in their place."""

    def __init__(self, names: dict[str, str | ast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        new = self.names.get(node.id, node.id)
        if isinstance(new, str):
            return ast.copy_location(ast.Name(new, node.ctx), node)
        return ast.copy_location(deepcopy(new), node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """Its parameters are names of its own."""
        own = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
        node.args = self.visit(node.args)
        node.body = NameReplacer({name: new for name, new in self.names.items() if name not in own}).visit(node.body)
        return node

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        if node.name is not None:
            new = self.names.get(node.name, node.name)
            node.name = new if isinstance(new, str) else node.name
        return self.generic_visit(node)


def denoted_integer(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as value):
            return int(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -int(value)
        case _:
            return None


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _assign_to(target: ast.expr, counter: str) -> ast.Assign:
    return ast.Assign([target], ast.Name(counter, ast.Load()))


def _jumps_out(node: ast.stmt) -> bool:
    """Whether a `break` or `continue` in the statement belongs to a loop around it."""
    match node:
        case ast.Break() | ast.Continue():
            return True
        case ast.If(body=body, orelse=orelse):
            return any(map(_jumps_out, [*body, *orelse]))
        case ast.Match(cases=cases):
            return any(_jumps_out(part) for case in cases for part in case.body)
        case _:
            return False


_READERS: dict[type[ast.stmt], Callable[[Reader, Any], Sequence[Flow]]] = {
    ast.If: Reader._if,
    ast.Match: Reader._match,
    ast.While: Reader._while,
    ast.For: Reader._for,
    ast.Break: Reader._break,
    ast.Continue: Reader._break,
    ast.Return: Reader._return,
}
