"""A program as a model in Python: a transition for each family of commands, with the same states and edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from asset.errors import Diagnostic, UsageError
from asset.ir import nodes as n
from asset.ir.program import Family, Program, Style, Variable
from asset.ir.requirements import Invariant, MustProgress, Predicate, Requirement, Temporal, Terminal
from asset.ir.types import EnumType
from asset.logic import formulas as f
from asset.logic.python_words import PYTHON_WORDS
from asset.translation.python_code import Lines, Vocabulary, Writer
from asset.translation.python_names import Names, class_name


def python_model(program: Program, why: Diagnostic | None = None) -> str:
    """The text of a module with one model; `why` is what processes in Python cannot say of it."""
    return "\n".join("    " * depth + text if text else "" for depth, text in _Module(program, why).lines()) + "\n"


class _Module:
    def __init__(self, program: Program, why: Diagnostic | None = None) -> None:
        self._program = program
        self._why = why
        self._words = Vocabulary(program)
        families = {family.function for family in program.families}
        asked = {p.function for p in program.predicates}
        self._helpers = [k for k in range(len(program.functions)) if k not in families]
        self._asked = asked
        self._methods = Names([*self._words.variables, *self._words.functions])

    def lines(self) -> Lines:
        requirements = list(self._requirements())
        body = [*self._state(), *self._transitions(), *self._helper_methods(), *requirements]
        end = "." if self._why else '."""'
        yield 0, f'"""{self._program.name}, written by `asset translate`{end}'
        if self._why:
            yield 0, ""
            yield 0, "Each step is a transition: processes in Python, which are shorter, cannot say this of it:"
            where = f", {self._why.span}" if self._why.span else ""
            yield 0, f'{self._why.message}{where}."""'
        yield 0, ""
        if self._words.enumerations:
            yield 0, "from enum import IntEnum"
            yield 0, ""
        text = " ".join(line for _, line in body)
        wanted = ["Array", "Int", "Model", *PYTHON_WORDS.values(), "invariant", "must_progress", "temporal", "terminal"]
        used = [name for name in [*wanted, "transition", "when"] if f"{name}(" in text or f"@{name}" in text]
        idle = ["idle_steps"] if self._program.idle_steps else []
        yield 0, f"from asset import {', '.join(sorted({*used, *idle, 'Model'}))}"
        yield 0, ""
        for name, members in self._words.enumerations.items():
            yield 0, ""
            yield 0, f"class {name}(IntEnum):"
            for value, member in members.items():
                yield 1, f"{member} = {value}"
            yield 0, ""
        yield 0, ""
        if self._program.idle_steps:
            yield 0, "@idle_steps"
        yield 0, f"class {class_name(self._program.name)}(Model):"
        yield from body

    # --- the state ----------------------------------------------------------------------------------------------------

    def _state(self) -> Lines:
        yield 1, "def state(self):"
        for k, variable in enumerate(self._program.variables):
            yield from self._declared(k, variable)
        yield 0, ""

    def _declared(self, k: int, variable: Variable) -> Lines:
        name = self._words.variables[k]
        common = max(set(variable.initial), key=variable.initial.count)
        item = self._value(k, variable, common)
        for size in reversed(variable.dims):
            item = f"Array({size}, {item})"
        told = "" if variable.name == name else f"  # {variable.name}"
        if isinstance(variable.type, EnumType) and k not in self._words.places:
            told += "  # " + ", ".join(f"{value} is {text}" for text, value in variable.type.members if value)
        yield 2, f"self.{name} = {item}{told}"
        for cell, value in enumerate(variable.initial):
            if value != common:
                yield 2, f"self.{name}{_index(variable.dims, cell)} = {self._words.constant(k, value)}"

    def _value(self, k: int, variable: Variable, value: int) -> str:
        if k in self._words.places:
            return self._words.constant(k, value)
        type = variable.type
        return f"Int({type.lo}, {type.hi}, {value})"

    # --- commands -----------------------------------------------------------------------------------------------------

    def _transitions(self) -> Lines:
        for family in self._program.families:
            yield from self._transition(family)

    def _transition(self, family: Family) -> Lines:
        function = self._program.functions[family.function]
        late = _read_too_late(function.body, set())
        if late is not None:
            raise UsageError.of(
                "updates that happen together have no words in Python: this is read after it was updated",
                late.span,
                "use --to smv",
            )
        writer = Writer(self._words, function, returns=family.style is Style.FIRE)
        parameters = writer.slots[: function.parameters]
        ranges = [f'{name}="{_values(values)}"' for name, values in zip(parameters, family.ranges, strict=True)]
        yield 1, f"# {family.name}"
        yield 1, f"@transition({', '.join(ranges)})" if ranges else "@transition"
        yield 1, f"def {self._words.functions[family.function]}({', '.join(['self', *parameters])}):"
        yield from writer.block(function.body, 2)
        yield 0, ""

    def _helper_methods(self) -> Lines:
        called = {
            node.function for function in self._program.functions for node in function.nodes if isinstance(node, n.Call)
        }
        for k in self._helpers:
            if k in called or k in self._asked:
                function = self._program.functions[k]
                writer = Writer(self._words, function)
                parameters = ["self", *writer.slots[: function.parameters]]
                yield 1, f"def {self._words.functions[k]}({', '.join(parameters)}):"
                yield from writer.block(function.body, 2)
                yield 0, ""

    # --- requirements -------------------------------------------------------------------------------------------------

    def _requirements(self) -> Lines:
        decorators = {Invariant: "invariant", Terminal: "terminal", MustProgress: "must_progress"}
        for requirement in self._program.requirements:
            if isinstance(requirement, Invariant | Terminal | MustProgress):
                yield 1, f"@{decorators[type(requirement)]}"
                yield 1, f"def {self._methods.new(requirement.name)}(self):"
                yield 2, f"return {self._asks(requirement.predicate)}"
            elif isinstance(requirement, Temporal) and _has_words(requirement.formula):
                yield 1, "@temporal"
                yield 1, f"def {self._methods.new(requirement.name)}(self):"
                yield 2, f"return {self._formula(requirement.formula)}"
            else:
                yield 1, f"# {requirement.name}: this has no words in Python"
            yield 0, ""

    def _asks(self, predicate: Predicate) -> str:
        return f"self.{self._words.functions[predicate.function]}() != 0"

    def _formula(self, formula: f.Formula) -> str:
        match formula:
            case f.Constant(value=value):
                return str(value)
            case f.Atom(key=Predicate() as predicate):
                return f"({self._asks(predicate)})"
            case f.Not(operand=operand):
                return f"(not {self._formula(operand)})"
            case f.And() | f.Or():
                word = " and " if isinstance(formula, f.And) else " or "
                return f"({word.join(map(self._formula, formula.operands))})"
        return f"{PYTHON_WORDS[type(formula)]}({', '.join(map(self._formula, formula.operands))})"


def _read_too_late(body: Sequence[n.Stmt], written: set[int]) -> n.Read | None:
    """A read of what a variable was before the firing, where it may have another value already."""
    for statement in body:
        inside = list(n.walk(statement))
        if isinstance(statement, n.If):
            before = set(written)
            tests = (each for case in statement.cases for each in n.walk(case.test))
            found = _late(tests, before)
            for branch in (*(case.body for case in statement.cases), statement.orelse):
                found = found or _read_too_late(branch, inner := set(before))
                written |= inner
        elif isinstance(statement, n.For | n.While):
            written |= {each.variable for each in inside if isinstance(each, n.SetState)}
            found = _late(inside, written)
        else:
            found = _late(inside, written)
            written |= {each.variable for each in inside if isinstance(each, n.SetState)}
        if found is not None:
            return found
    return None


def _late(nodes: Iterable[n.Node], written: set[int]) -> n.Read | None:
    reads = (each for each in nodes if isinstance(each, n.Read) and each.before)
    return next((each for each in reads if each.variable in written), None)


def _has_words(formula: f.Formula) -> bool:
    match formula:
        case f.Atom(key=key):
            return isinstance(key, Predicate)
        case f.Constant():
            return True
        case f.Not() | f.And() | f.Or():
            return all(map(_has_words, formula.operands))
    return type(formula) in PYTHON_WORDS and all(map(_has_words, formula.operands))


def untold(program: Program) -> Iterator[Requirement]:
    """The requirements that the model in Python does not have."""
    for requirement in program.requirements:
        plain = isinstance(requirement, Invariant | Terminal | MustProgress)
        if not plain and not (isinstance(requirement, Temporal) and _has_words(requirement.formula)):
            yield requirement


def _index(dims: tuple[int, ...], cell: int) -> str:
    found = ""
    for size in reversed(dims):
        cell, at = divmod(cell, size)
        found = f"[{at}]{found}"
    return found


def _values(values: Sequence[int]) -> str:
    if tuple(values) == tuple(range(values[0], values[-1] + 1)):
        return f"range({values[0]}, {values[-1] + 1})" if values[0] else str(values[-1] + 1)
    return f"({', '.join(map(str, values))},)"
