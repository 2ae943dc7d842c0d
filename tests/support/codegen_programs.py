"""IR programs written by hand, briefly, and random ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN, FaultKind
from asset.ir.nodes import BinaryOp, FoldOp, UnaryOp
from asset.ir.program import Family, Function, Program, State, Style, Variable
from asset.ir.requirements import Invariant, Predicate, Requirement, Terminal
from asset.ir.types import BoolType, EnumType, IntType, ScalarType
from asset.span import NOWHERE

# --- by hand ----------------------------------------------------------------------------------------------------


def const(value: int) -> n.Const:
    return n.Const(NOWHERE, value)


def local(slot: int) -> n.Local:
    return n.Local(NOWHERE, slot)


def read(variable: int, *indices: n.Expr) -> n.Read:
    return n.Read(NOWHERE, variable, indices)


def binary(op: BinaryOp, left: n.Expr, right: n.Expr) -> n.Binary:
    return n.Binary(NOWHERE, op, left, right)


def unary(op: UnaryOp, operand: n.Expr) -> n.Unary:
    return n.Unary(NOWHERE, op, operand)


def let(slot: int, value: n.Expr) -> n.SetLocal:
    return n.SetLocal(NOWHERE, slot, value)


def put(variable: int, value: n.Expr, *indices: n.Expr) -> n.SetState:
    return n.SetState(NOWHERE, variable, indices, value)


def when(test: n.Expr) -> n.When:
    return n.When(NOWHERE, test)


def give(value: n.Expr) -> n.Return:
    return n.Return(NOWHERE, value)


def if_(test: n.Expr, then: Sequence[n.Stmt], orelse: Sequence[n.Stmt] = ()) -> n.If:
    return n.If(NOWHERE, (n.Case(NOWHERE, test, tuple(then)),), tuple(orelse))


def counting(slot: int, stop: n.Expr, body: Sequence[n.Stmt]) -> n.For:
    return n.For(NOWHERE, slot, const(0), stop, const(1), tuple(body))


def generator(slot: int, stop: n.Expr, test: n.Expr | None = None) -> n.Generator:
    return n.Generator(NOWHERE, slot, const(0), stop, const(1), (), test)


def fold(op: FoldOp, generators: Sequence[n.Generator], element: n.Expr, default: n.Expr | None = None) -> n.Fold:
    return n.Fold(NOWHERE, op, tuple(generators), element, default)


def call(function: int, *args: n.Expr) -> n.Call:
    return n.Call(NOWHERE, function, args)


def variable(name: str, declared: ScalarType, *dims: int, initial: int | None = None) -> Variable:
    cells = 1
    for size in dims:
        cells *= size
    return Variable(name, declared, dims, (declared.lo if initial is None else initial,) * cells, NOWHERE)


def function(parameters: int, slots: int, *body: n.Stmt) -> Function:
    return Function("f", parameters, tuple(f"s{k}" for k in range(slots)), body, NOWHERE)


def families(*parts: tuple[int, Sequence[Sequence[int]], Style]) -> tuple[Family, ...]:
    result: list[Family] = []
    first = 0
    for number, ranges, style in parts:
        result.append(Family(f"f{number}", number, tuple(tuple(r) for r in ranges), style, first, NOWHERE))
        first += result[-1].size
    return tuple(result)


def oblige(*commands: n.Expr) -> n.Oblige:
    return n.Oblige(NOWHERE, commands)


def reduced(tested: Program, rules: Sequence[Function | None], representative: Function | None = None) -> Program:
    """The program with a rule for each family that is given one, and a representative."""
    functions = list(tested.functions)

    def number(added: Function | None) -> int | None:
        if added is None:
            return None
        functions.append(added)
        return len(functions) - 1

    ruled = tuple(replace(family, rule=number(rule)) for family, rule in zip(tested.families, rules, strict=True))
    symmetric = number(representative)
    return replace(tested, families=ruled, functions=tuple(functions), representative=symmetric)


def predicate(number: int, *messages: str) -> Predicate:
    return Predicate(f"p{number}", number, messages, NOWHERE)


def program(
    variables: Sequence[Variable],
    functions: Sequence[Function],
    parts: Sequence[tuple[int, Sequence[Sequence[int]], Style]],
    requirements: Sequence[Requirement] = (),
) -> Program:
    return Program("test", (), tuple(variables), tuple(functions), families(*parts), tuple(requirements))


WHOLE = IntType(INT_MIN, INT_MAX)


def evaluating(expressions: Sequence[n.Expr], ranges: Sequence[Sequence[int]], slots: int = 8) -> Program:
    """For each expression a family with these indices that assigns its value to a variable of 64 bits."""
    bodies = [function(len(ranges), slots, put(0, e)) for e in expressions]
    return program(
        [variable("result", WHOLE, initial=0)], bodies, [(k, ranges, Style.GUARDED) for k in range(len(bodies))]
    )


# --- random -----------------------------------------------------------------------------------------------------

GAPPED = EnumType("Gapped", (("A", -2), ("B", 1), ("C", 4)))
X, ARRAY, GRID, MODE, WIDE, UNIT = range(6)
SLOTS, LOOP_SLOTS = 6, 3  # slots 0 and 1 are parameters; the last ones count loops


def random_variables(padding: int) -> list[Variable]:
    """Variables of every kind; `padding` cells of 60 bits make the state longer."""
    return [
        variable("x", IntType(-3, 4), initial=0),
        variable("array", IntType(0, 6), 5),
        variable("grid", BoolType(), 2, 3),
        variable("mode", GAPPED),
        variable("wide", IntType(-(2**40), 2**40), initial=0),
        variable("unit", IntType(7, 7)),
        *([variable("padding", IntType(0, 2**60 - 1), padding)] if padding else []),
    ]


_constants = st.one_of(st.integers(-4, 8), st.sampled_from([INT_MIN, INT_MAX, 63, 64, 2**31, -(2**40)]))


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3, callable_below: int = 0) -> n.Expr:
    kinds = ["const", "local", "local", "x", "mode", "wide"]
    if depth:
        kinds += [
            "array",
            "array",
            "grid",
            "unary",
            "binary",
            "binary",
            "binary",
            "and",
            "conditional",
            "table",
            "fold",
        ]
        kinds += ["call"] if callable_below else []
    below = expressions(depth=depth - 1, callable_below=callable_below)
    match draw(st.sampled_from(kinds)):
        case "const":
            return const(draw(_constants))
        case "local":
            return local(draw(st.integers(0, SLOTS - 1)))
        case "x":
            return read(X)
        case "mode":
            return read(MODE)
        case "wide":
            return read(draw(st.sampled_from([WIDE, UNIT])))
        case "array":
            return read(ARRAY, draw(below))
        case "grid":
            return read(GRID, draw(below), draw(below))
        case "unary":
            return unary(draw(st.sampled_from(UnaryOp)), draw(below))
        case "binary":
            return binary(draw(st.sampled_from(BinaryOp)), draw(below), draw(below))
        case "and":
            kind = draw(st.sampled_from([n.And, n.Or]))
            return kind(NOWHERE, tuple(draw(st.lists(below, min_size=1, max_size=3))))
        case "conditional":
            return n.Conditional(NOWHERE, draw(below), draw(below), draw(below))
        case "table":
            return n.Table(NOWHERE, "t", (2, 2), (5, -1, 0, 2), (draw(below), draw(below)))
        case "call":
            return call(draw(st.integers(0, callable_below - 1)), draw(below), draw(below))
        case _:
            return draw(_folds(below))


@st.composite
def _folds(draw: st.DrawFn, below: st.SearchStrategy[n.Expr]) -> n.Expr:
    slots = draw(st.lists(st.integers(SLOTS, SLOTS + LOOP_SLOTS - 1), min_size=1, max_size=2, unique=True))
    generators = [
        n.Generator(
            NOWHERE,
            slot,
            const(draw(st.integers(-2, 2))),
            draw(st.one_of(st.integers(-2, 5).map(const), st.just(read(X)))),
            const(draw(st.sampled_from([1, 1, -1, 2, 0]))),
            (n.Bind(NOWHERE, 2, draw(below)),) if draw(st.booleans()) else (),
            draw(st.none() | below),
        )
        for slot in slots
    ]
    element = draw(st.one_of(below, st.just(local(slots[0])), st.just(read(ARRAY, local(slots[-1])))))
    return fold(draw(st.sampled_from(FoldOp)), generators, element, draw(st.none() | below))


@st.composite
def statements(draw: st.DrawFn, depth: int, callable_below: int, in_loop: bool = False) -> n.Stmt:
    kinds = ["local", "state", "state", "when", "evaluate", "return", "fail"]
    kinds += ["if", "if", "for", "while"] if depth else []
    kinds += ["break", "continue"] if in_loop else []
    e = expressions(depth=2, callable_below=callable_below)
    match draw(st.sampled_from(kinds)):
        case "local":
            return let(draw(st.integers(0, SLOTS - 1)), draw(e))
        case "state":
            return draw(_assignments(e))
        case "when":
            return when(draw(e))
        case "evaluate":
            return n.Evaluate(NOWHERE, draw(e))
        case "return":
            return give(draw(e))
        case "fail":
            kind = draw(st.sampled_from([FaultKind.ASSERTION, FaultKind.RAISE]))
            return if_(draw(e), [n.Fail(NOWHERE, kind, ("x is ", draw(e)))])
        case "if":
            inner = blocks(depth - 1, callable_below, in_loop)
            cases = [n.Case(NOWHERE, draw(e), draw(inner)) for _ in range(draw(st.integers(1, 2)))]
            return n.If(NOWHERE, tuple(cases), draw(inner))
        case "break":
            return n.Break(NOWHERE)
        case "continue":
            return n.Continue(NOWHERE)
        case "while":
            return draw(_whiles(depth, callable_below))
        case _:
            body = draw(blocks(depth - 1, callable_below, True))
            step = const(draw(st.sampled_from([1, -1, 3])))
            return n.For(NOWHERE, SLOTS, const(draw(st.integers(-1, 3))), const(draw(st.integers(-2, 5))), step, body)


@st.composite
def _assignments(draw: st.DrawFn, e: st.SearchStrategy[n.Expr]) -> n.Stmt:
    simple = st.one_of(e, st.integers(-1, 4).map(const))
    number = draw(st.sampled_from([X, ARRAY, GRID, MODE, WIDE, UNIT]))
    if number == ARRAY:
        return put(ARRAY, draw(simple), draw(st.one_of(st.just(local(0)), e)))
    if number == GRID:
        return put(GRID, draw(st.one_of(st.integers(0, 1).map(const), e)), local(0), draw(simple))
    return put(number, draw(simple))


@st.composite
def _whiles(draw: st.DrawFn, depth: int, callable_below: int) -> n.Stmt:
    """A loop of few rounds, counted in a slot that nothing else assigns."""
    counter = SLOTS + 1
    test = binary(BinaryOp.LT, local(counter), const(draw(st.integers(0, 4))))
    step = let(counter, binary(BinaryOp.ADD, local(counter), const(1)))
    body = (step, *draw(blocks(0, callable_below, True)))
    return if_(const(1), [let(counter, const(0)), n.While(NOWHERE, test, body)])


def blocks(depth: int, callable_below: int, in_loop: bool = False) -> st.SearchStrategy[tuple[n.Stmt, ...]]:
    return st.lists(statements(depth, callable_below, in_loop), max_size=3).map(tuple)


@st.composite
def programs(draw: st.DrawFn, padding: int = 0, size: int = 4) -> Program:
    """Functions that call earlier ones, each also a family; some are properties too."""
    preset = [let(slot, const(slot)) for slot in range(2, SLOTS + LOOP_SLOTS)]
    functions = [function(2, SLOTS + LOOP_SLOTS, *preset, *draw(blocks(2, k))) for k in range(size)]
    ranges = draw(st.sampled_from([((0, 1, 4), (3,)), ((1, 2), (2, 0)), ((-1, 5), (0, 2, 7))]))
    styles = [draw(st.sampled_from(Style)) for _ in functions]
    setup = [let(k, const(k)) for k in range(SLOTS + LOOP_SLOTS)]
    results = [draw(expressions()), binary(BinaryOp.AND, draw(expressions()), const(7))]
    pure = [function(0, SLOTS + LOOP_SLOTS, *setup, give(result)) for result in results]
    requirements = [Invariant(predicate(size)), Terminal(predicate(size + 1, *"abcdefg"))]
    parts = [(k, ranges, style) for k, style in enumerate(styles)]
    return program(random_variables(padding), [*functions, *pure], parts, requirements)


def some_state(variables: tuple[Variable, ...], source: random.Random) -> State:
    def value(v: Variable) -> int:
        if isinstance(v.type, EnumType):
            return source.choice([number for _, number in v.type.members])
        return source.choice([v.type.lo, v.type.hi, source.randint(v.type.lo, v.type.hi)])

    return tuple(value(v) for v in variables for _ in range(v.cells))


@st.composite
def rules(draw: st.DrawFn, commands: int) -> Function:
    """Lists commands, some of which may not exist, here and there."""
    number = st.one_of(
        st.integers(0, commands - 1).map(const),
        expressions(depth=1).map(lambda e: binary(BinaryOp.MOD, e, const(commands))),
        expressions(depth=1),
    )
    obliging = st.one_of(st.lists(number, max_size=3).map(lambda some: oblige(*some)), st.just(n.ObligeAll(NOWHERE)))
    body: list[n.Stmt] = [let(slot, const(slot)) for slot in range(2, SLOTS + LOOP_SLOTS)]
    for _ in range(draw(st.integers(1, 3))):
        several = draw(st.lists(obliging, max_size=2))
        match draw(st.sampled_from(["plain", "if", "for", "leave"])):
            case "plain":
                body += several
            case "if":
                body.append(if_(draw(expressions(depth=2)), several, [draw(obliging)]))
            case "for":
                body.append(counting(SLOTS, const(3), [oblige(local(SLOTS)), *several]))
            case _:
                body.append(if_(draw(expressions(depth=2)), [n.Return(NOWHERE)]))
    return function(2, SLOTS + LOOP_SLOTS, *body)


@st.composite
def reduced_programs(draw: st.DrawFn, padding: int = 0) -> Program:
    """Random programs with rules of some families, and a function of the state as representative."""
    tested = draw(programs(padding=padding, size=2))
    chosen = [draw(st.none() | rules(tested.nr_commands)) for _ in tested.families]
    preset = [let(slot, const(slot)) for slot in range(SLOTS + LOOP_SLOTS)]
    changing = draw(blocks(2, 0).filter(lambda body: not any(isinstance(node, n.When) for node in n.walk(*body))))
    return reduced(tested, chosen, function(0, SLOTS + LOOP_SLOTS, *preset, *changing))
