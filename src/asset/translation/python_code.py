"""Code of the IR as code of Python.

Every value of the IR is a number; Python has booleans. An expression is written as a number or as a truth, as the place
where it stands needs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from asset.errors import UsageError
from asset.ir import nodes as n
from asset.ir.program import Function, Program
from asset.ir.types import EnumType
from asset.translation.python_names import Names

Lines = Iterator[tuple[int, str]]
"""Lines of code, each with its depth."""


class Vocabulary:
    """What variables, values and functions are called."""

    def __init__(self, program: Program) -> None:
        self.program = program
        names = Names()
        self.variables = [names.new(variable.name) for variable in program.variables]
        self.functions = [names.new(function.name) for function in program.functions]
        self.places: dict[int, Mapping[int, str]] = {}
        """The members of the enumerations that are shown as such: those of variables that only get constants."""
        self.enumerations: dict[str, Mapping[int, str]] = {}
        self._name_places(names)

    def _name_places(self, names: Names) -> None:
        assigned = [node for f in self.program.functions for node in f.nodes if isinstance(node, n.SetState)]
        computed = {node.variable for node in assigned if not isinstance(node.value, n.Const)}
        for k, variable in enumerate(self.program.variables):
            owner = variable.owner
            if isinstance(variable.type, EnumType) and owner is not None and owner.local is None and k not in computed:
                name, members = names.new(f"{owner.process}_place"), Names()
                values = {value: members.new("gone" if text == "-" else text) for text, value in variable.type.members}
                self.enumerations[name] = values
                self.places[k] = {value: f"{name}.{member}" for value, member in values.items()}

    def constant(self, variable: int, value: int) -> str:
        return self.places[variable][value] if variable in self.places else str(value)


class Writer:
    """Writes one function, which `returns` something unless it is a transition."""

    def __init__(self, words: Vocabulary, function: Function, returns: bool = True) -> None:
        self._words = words
        self._returns = returns
        names = Names()
        self.slots = [names.new(slot) for slot in function.slots]

    # --- statements ---------------------------------------------------------------------------------------------------

    def block(self, body: Sequence[n.Stmt], depth: int) -> Lines:
        empty = True
        for statement in body:
            for line in self._statement(statement, depth):
                empty = False
                yield line
        if empty:
            yield depth, "pass"

    def _statement(self, s: n.Stmt, depth: int) -> Lines:
        match s:
            case n.SetLocal(slot=slot, value=value):
                yield depth, f"{self.slots[slot]} = {self.number(value)}"
            case n.SetState(variable=variable, indices=indices, value=value):
                yield depth, f"{self._cell(variable, indices)} = {self._stored(variable, value)}"
            case n.When(test=test):
                yield depth, f"when({self.truth(test)})"
            case n.If(cases=cases, orelse=orelse):
                for k, case in enumerate(cases):
                    yield depth, f"{'elif' if k else 'if'} {self.truth(case.test)}:"
                    yield from self.block(case.body, depth + 1)
                if orelse:
                    yield depth, "else:"
                    yield from self.block(orelse, depth + 1)
            case n.While(test=test, body=body):
                yield depth, f"while {self.truth(test)}:"
                yield from self.block(body, depth + 1)
            case n.For(slot=slot, start=start, stop=stop, step=step, body=body):
                yield depth, f"for {self.slots[slot]} in {self._range(start, stop, step)}:"
                yield from self.block(body, depth + 1)
            case n.Break():
                yield depth, "break"
            case n.Continue():
                yield depth, "continue"
            case n.Return(value=value):
                yield depth, f"return {self.number(value)}" if value is not None and self._returns else "return"
            case n.Evaluate(value=value):
                yield depth, self.number(value)
            case n.Fail(message=message):
                said = "".join(part if isinstance(part, str) else "…" for part in message)
                yield depth, f"assert False, {said!r}"
            case _:
                raise UsageError.of(f"{type(s).__name__} has no words in Python", s.span, "use --to smv")

    def _stored(self, variable: int, value: n.Expr) -> str:
        return self._words.constant(variable, value.value) if isinstance(value, n.Const) else self.number(value)

    def _cell(self, variable: int, indices: Sequence[n.Expr]) -> str:
        return f"self.{self._words.variables[variable]}" + "".join(f"[{self.number(index)}]" for index in indices)

    def _range(self, start: n.Expr, stop: n.Expr, step: n.Expr) -> str:
        bounds = f"{self.number(start)}, {self.number(stop)}"
        one = isinstance(step, n.Const) and step.value == 1
        return f"range({bounds})" if one else f"range({bounds}, {self.number(step)})"

    # --- expressions --------------------------------------------------------------------------------------------------

    def truth(self, e: n.Expr) -> str:
        match e:
            case n.Const(value=value):
                return str(bool(value))
            case n.And(operands=operands):
                return " and ".join(self._grouped(each) for each in operands)
            case n.Or(operands=operands):
                return " or ".join(self._grouped(each) for each in operands)
            case n.Unary(op=n.UnaryOp.NOT, operand=operand):
                return f"not {self._grouped(operand)}"
            case n.Binary(op=op, left=left, right=right) if op in n.COMPARISONS:
                return self._compared(op, left, right)
            case n.Fold(op=n.FoldOp.ANY | n.FoldOp.ALL):
                return self._fold(e)
            case n.Conditional(test=test, then=then, orelse=orelse):
                return f"({self.truth(then)} if {self.truth(test)} else {self.truth(orelse)})"
        return f"{self.number(e)} != 0"

    def _grouped(self, e: n.Expr) -> str:
        text = self.truth(e)
        plain = isinstance(e, n.Const) or (isinstance(e, n.Fold) and text.startswith(("any(", "all(")))
        return text if plain else f"({text})"

    def _compared(self, op: n.BinaryOp, left: n.Expr, right: n.Expr) -> str:
        if isinstance(left, n.Read) and isinstance(right, n.Const) and left.variable in self._words.places:
            known = self._words.places[left.variable]
            if right.value in known:
                return f"{self.number(left)} {op.value} {known[right.value]}"
        return f"{self.number(left)} {op.value} {self.number(right)}"

    def number(self, e: n.Expr) -> str:
        match e:
            case n.Const(value=value):
                return str(value) if value >= 0 else f"({value})"
            case n.Local(slot=slot):
                return self.slots[slot]
            case n.Read(variable=variable, indices=indices):
                return self._cell(variable, indices)
            case n.Table(values=values, indices=(index,)):
                return f"({', '.join(map(str, values))},)[{self.number(index)}]"
            case n.Unary(op=n.UnaryOp.ABS, operand=operand):
                return f"abs({self.number(operand)})"
            case n.Unary(op=n.UnaryOp.NEGATE | n.UnaryOp.INVERT, operand=operand):
                return f"({e.op.value}{self.number(operand)})"
            case n.Binary(op=n.BinaryOp.MIN | n.BinaryOp.MAX, left=left, right=right):
                return f"{e.op.value}({self.number(left)}, {self.number(right)})"
            case n.Binary(op=op, left=left, right=right) if op not in n.COMPARISONS:
                return f"({self.number(left)} {op.value} {self.number(right)})"
            case n.Conditional(test=test, then=then, orelse=orelse):
                return f"({self.number(then)} if {self.truth(test)} else {self.number(orelse)})"
            case n.Call(function=function, args=args):
                return f"self.{self._words.functions[function]}({', '.join(map(self.number, args))})"
            case n.Fold(op=n.FoldOp.SUM | n.FoldOp.MIN | n.FoldOp.MAX):
                return self._fold(e)
        return f"int({self.truth(e)})"

    def _fold(self, e: n.Fold) -> str:
        if any(generator.binds for generator in e.generators) or e.default is not None:
            raise UsageError.of("this expression has no words in Python", e.span, "use --to smv")
        element = self.truth(e.element) if e.op in (n.FoldOp.ANY, n.FoldOp.ALL) else self.number(e.element)
        loops = ""
        for each in e.generators:
            test = "" if each.test is None else f" if {self.truth(each.test)}"
            loops += f" for {self.slots[each.slot]} in {self._range(each.start, each.stop, each.step)}{test}"
        return f"{e.op.value}({element}{loops})"
