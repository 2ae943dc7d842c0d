"""Models that somebody has mistyped: examples of models/, changed at random places of their syntax trees.

    python tests/support/mutated_models.py FOLDER FIRST COUNT

checks the mutants FIRST, FIRST + 1, … in this process, and prints a line of JSON for each that is answered wrongly:
with a traceback, an internal error, or an error without a place. FOLDER keeps these. A mutant that takes longer than
`PATIENCE` seconds of the processor ends the process; FOLDER/begun says which it was.
"""

from __future__ import annotations

import ast
import copy
import io
import json
import random
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

MODELS = sorted((Path(__file__).parent.parent.parent / "models").glob("*.py"))
PATIENCE = 10
MEMORY = 4 << 30
"""Bytes of addresses: what Python, LLVM and the engine need, and no more."""

NUMBERS = (0, 1, -1, 2, 3, 7, 64, 1000, 2**31, 2**63 - 1, 2**63, 2**70, -(2**63), -(2**64))
VALUES = (None, True, False, "", "n", "self", 1.5, 1j, b"x", ..., (), (1, 2))
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Div, ast.Pow, ast.LShift, ast.BitXor, ast.MatMult)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn)
UNARY = (ast.Not, ast.USub, ast.Invert, ast.UAdd)
NAMES = (
    "self",
    "i",
    "n",
    "len",
    "range",
    "when",
    "x",
    "exit",
    "choose",
    "Array",
    "Int",
    "transition",
    "print",
    "super",
)
DECORATORS = ("transition", "invariant", "terminal", "process", "property", "staticmethod", "may_progress", "recurrent")

Place = tuple[ast.AST, str, int | None]
"""A part of a tree: its parent, the field, and its number if the field is a list."""


def mutant(number: int) -> str:
    """The text of a model with one to three mistakes; the same for the same number."""
    rng = random.Random(number)
    tree = ast.parse(rng.choice(MODELS).read_text(encoding="utf-8"))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        rng.choice(MISTAKES)(tree, rng)
    return ast.unparse(ast.fix_missing_locations(tree))


def _places(tree: ast.AST, kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> list[Place]:
    found: list[Place] = []
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, kind):
                found.append((node, name, None))
            elif isinstance(value, list):
                found += [(node, name, at) for at, part in enumerate(value) if isinstance(part, kind)]
    return found


def _get(place: Place) -> ast.AST:
    node, name, at = place
    value = getattr(node, name)
    return value if at is None else value[at]  # type: ignore[no-any-return]


def _put(place: Place, new: ast.AST) -> None:
    node, name, at = place
    if at is None:
        setattr(node, name, new)
    else:
        getattr(node, name)[at] = new


def _blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    names = ("body", "orelse", "finalbody")
    parts = [getattr(node, name, None) for node in ast.walk(tree) for name in names]
    return [part for part in parts if isinstance(part, list) and part]


def _delete(tree: ast.AST, rng: random.Random) -> None:
    block = rng.choice(_blocks(tree))
    block.pop(rng.randrange(len(block)))
    if not block:
        block.append(ast.Pass())


def _duplicate(tree: ast.AST, rng: random.Random) -> None:
    block = rng.choice(_blocks(tree))
    block.insert(rng.randrange(len(block) + 1), copy.deepcopy(rng.choice(block)))


def _transplant(tree: ast.AST, rng: random.Random) -> None:
    """A statement of one block goes to another."""
    block, other = rng.choice(_blocks(tree)), rng.choice(_blocks(tree))
    other.insert(rng.randrange(len(other) + 1), copy.deepcopy(rng.choice(block)))


def _swap(tree: ast.AST, rng: random.Random) -> None:
    places = _places(tree, ast.expr)
    if len(places) > 1:
        one, two = rng.sample(places, 2)
        first, second = copy.deepcopy(_get(one)), copy.deepcopy(_get(two))
        _put(one, second)
        _put(two, first)


def _constant(tree: ast.AST, rng: random.Random) -> None:
    places = _places(tree, ast.Constant)
    if places:
        _put(rng.choice(places), ast.Constant(rng.choice(rng.choice((NUMBERS, NUMBERS, VALUES)))))


def _operator(tree: ast.AST, rng: random.Random) -> None:
    for kind, choices in ((ast.operator, OPERATORS), (ast.cmpop, COMPARISONS), (ast.unaryop, UNARY)):
        places = _places(tree, kind)
        if places:
            _put(rng.choice(places), rng.choice(choices)())


def _name(tree: ast.AST, rng: random.Random) -> None:
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute | ast.arg | ast.FunctionDef)]
    names = [getattr(node, _label(node)) for node in nodes]
    if nodes:
        node = rng.choice(nodes)
        setattr(node, _label(node), rng.choice((*NAMES, *rng.sample(names, 1))))


def _label(node: ast.AST) -> str:
    return {ast.Name: "id", ast.Attribute: "attr", ast.arg: "arg", ast.FunctionDef: "name"}[type(node)]


def _decorator(tree: ast.AST, rng: random.Random) -> None:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    if functions:
        function = rng.choice(functions)
        new = rng.choice(([], [ast.Name(rng.choice(DECORATORS), ast.Load())]))
        kept = rng.choice((function.decorator_list, []))
        function.decorator_list = [*new, *kept] if rng.random() < 0.5 else [*kept, *new]


def _arguments(tree: ast.AST, rng: random.Random) -> None:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if not calls:
        return
    call = rng.choice(calls)
    if call.args and rng.random() < 0.5:
        call.args.pop(rng.randrange(len(call.args)))
    elif call.keywords and rng.random() < 0.5:
        call.keywords.pop(rng.randrange(len(call.keywords)))
    else:
        call.args.insert(0, ast.Constant(rng.choice((*NUMBERS, *VALUES))))


def _parameters(tree: ast.AST, rng: random.Random) -> None:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    if functions:
        args = rng.choice(functions).args.args
        if args and rng.random() < 0.6:
            args.pop(rng.randrange(len(args)))
        else:
            args.append(ast.arg("extra"))


def _nest(tree: ast.AST, rng: random.Random) -> None:
    places = [
        place for place in _places(tree, ast.expr) if isinstance(getattr(_get(place), "ctx", ast.Load()), ast.Load)
    ]
    if places:
        place = rng.choice(places)
        inner = _get(place)
        for _ in range(rng.choice((1, 5, 40, 90))):
            inner = ast.UnaryOp(rng.choice(UNARY)(), inner)  # type: ignore[arg-type]
        _put(place, inner)


def _wrap(tree: ast.AST, rng: random.Random) -> None:
    """A statement goes into a loop, a branch, or something that the language has not."""
    block = rng.choice(_blocks(tree))
    at = rng.randrange(len(block))
    inner = [block[at]]
    true = ast.Constant(rng.choice((True, False, 1, None)))
    loop = ast.For(ast.Name("k", ast.Store()), ast.Constant((0, 1)), inner, [])
    ways: tuple[ast.stmt, ...] = (
        ast.While(true, inner, []),
        loop,
        ast.If(true, inner, []),
        ast.Try(inner, [], [], inner),
    )
    block[at] = rng.choice(ways)


def _statement(tree: ast.AST, rng: random.Random) -> None:
    texts = (
        "return",
        "return 1",
        "raise SystemExit",
        "yield",
        "break",
        "assert 0",
        "del self",
        "global n",
        "pass",
        "1 / 0",
    )
    block = rng.choice(_blocks(tree))
    block.insert(rng.randrange(len(block) + 1), ast.parse(rng.choice(texts)).body[0])


MISTAKES: tuple[Callable[[ast.AST, random.Random], None], ...] = (
    _delete,
    _duplicate,
    _transplant,
    _swap,
    _constant,
    _operator,
    _name,
    _decorator,
    _arguments,
    _parameters,
    _nest,
    _wrap,
    _statement,
)


# --- checking them ----------------------------------------------------------------------------------------------

_PLACED = re.compile(r"^\S[^\n]*:\d+(:\d+)?: error: ", re.MULTILINE)
_USAGE = re.compile(
    r"^(error: [^\n]*(defines|selects nothing|parameter|too large|more than|is for|says that)|note: )", re.MULTILINE
)


def wrong_with(status: object, said: str) -> str | None:
    """Why that is no way to end; None if it is one."""
    if status not in (0, 1, 2, 3):
        return f"exit status {status}"
    if "Traceback" in said or "internal error" in said:
        return "a mistake of ours"
    if status == 2 and not _PLACED.search(said) and not _USAGE.search(said):
        return "an error without a place"
    return None


def words_for(number: int, file: Path) -> list[str]:
    """How the mutant is checked: most by the reference engine, which has nothing to compile."""
    ways = (["--engine", "reference"],) * 8 + ([], ["--stubborn", "auto"], ["--symmetry", "auto"])
    return ["check", str(file), "--max-states", "40", "--max-memory", "500M", *ways[number % len(ways)]]


def failures(folder: Path, numbers: range) -> Iterator[dict[str, object]]:
    from asset.cli.main import main
    from asset.frontends.python.patience import within_patience

    file = folder / "mutant.py"
    for number in numbers:
        (folder / "begun").write_text(str(number))
        file.write_text(mutant(number), encoding="utf-8")
        said = io.StringIO()
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            # A loop at the top of a file is the user's own business, and is ended here with its place.
            with redirect_stdout(said), redirect_stderr(said), within_patience(PATIENCE / 2):
                status: object = main(words_for(number, file))
        except BaseException as error:
            status = f"{type(error).__name__}: {error}"
        signal.setitimer(signal.ITIMER_PROF, 0)
        wrong = wrong_with(status, said.getvalue())
        if wrong is not None:
            file.rename(folder / f"mutant{number}.py")
            yield {"mutant": number, "wrong": wrong, "said": said.getvalue()[:2000]}


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    kept, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for failure in failures(kept, range(first, first + count)):
        print(json.dumps(failure), flush=True)
