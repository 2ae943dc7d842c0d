"""Functions of the machine applied: read if they are dynamic, else their definitions are put in the place of calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from asset.frontends.asm import tree as t
from asset.frontends.asm.binding import Bound, Environment, bind
from asset.frontends.asm.by_argument import by_argument
from asset.frontends.asm.problems import Rejected, wrong_number
from asset.frontends.asm.signature import FunctionInfo
from asset.frontends.asm.statics import unknown
from asset.frontends.asm.tabulating import Tabulating, called
from asset.frontends.asm.values import TupleValue, UndefValue, Value
from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.asm.terms import Terms

MOST_INSIDE = 32  # calls of a derived function by itself inside each other


class Definitions:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._names = terms.names
        self._tabulating = Tabulating(terms.evaluator)
        self._open: list[str] = []
        """The functions whose definitions are being written out."""
        self._recursive: dict[str, bool] = {}

    def applied(self, name: str, args: tuple[Value, ...], outer: Environment, span: Span) -> Value:
        function = self._names.functions.get(name)
        if function is None:
            raise unknown(self._names, name, span)
        if function.is_dynamic:
            return self._terms.dynamics.read(function, args, span)
        if function.definition is None:
            raise Rejected(f"{name} is not defined", function.span, f"write function {name} = … in the definitions")
        table = self._tabulating.table(function, args)
        if table is not None:
            return called(function, table, args, span) if args else table
        definition = function.definition
        env: dict[str, Bound] = {"self": outer["self"]} if "self" in outer else {}
        if not definition.params:
            with self._writing_out(function, span):
                value = self._terms.value(definition.body, env)
            return value if not args else called(function, value, args, span)
        if len(args) == 1 and isinstance(args[0], TupleValue) and len(definition.params) > 1:
            args = args[0].parts
        if len(args) != len(definition.params):
            raise wrong_number(name, len(definition.params), len(args), span)
        if self._calls_itself(name):
            if any(isinstance(arg, UndefValue) for arg in args):
                return UndefValue()
            apart = by_argument(function, args, lambda known: self.applied(name, known, outer, span), span)
            if apart is not None:
                return apart
        for param, arg in zip(definition.params, args, strict=True):
            bind(param.pattern, arg, env)
        with self._writing_out(function, span):
            return self._terms.value(definition.body, env)

    def _calls_itself(self, name: str) -> bool:
        """Whether its definition leads back to it."""
        if name not in self._recursive:
            pending, seen = [name], set[str]()
            while pending:
                found = self._names.functions.get(pending.pop())
                if found is not None and found.definition is not None:
                    below = {each.name for each in t.walk(found.definition.body) if isinstance(each, t.Apply)}
                    pending += below - seen
                    seen |= below
            self._recursive[name] = name in seen
        return self._recursive[name]

    @contextmanager
    def _writing_out(self, function: FunctionInfo, span: Span) -> Iterator[None]:
        """A definition is put in the place of a call. One that calls itself must end, and soon."""
        if self._open.count(function.name) > MOST_INSIDE:
            raise Rejected(
                f"{function.name} calls itself, and the text does not tell that it ends within {MOST_INSIDE} calls",
                span,
                "give its arguments a small finite domain; or write a sum or a quantifier instead, as "
                "sum(<$x in S | true : f($x)>)",
            )
        self._open.append(function.name)
        try:
            yield
        finally:
            self._open.pop()
