"""A model in SMV, walked state by state: a small reader of the part of the language that `asset translate` writes.

It knows nothing of ASSET. Expressions become functions of an environment: the values of variables and the input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

Value = int | str | bool
Environment = dict[str, Value]
Expression = Callable[[Environment], Any]
State = tuple[Value, ...]

_TOKEN = re.compile(r"\s*(--[^\n]*|<->|->|:=|!=|<=|>=|\.\.|\d+|[A-Za-z_]\w*|.)", re.DOTALL)
_SECTIONS = {"VAR", "IVAR", "DEFINE", "ASSIGN", "INIT", "TRANS", "INVARSPEC", "CTLSPEC", "LTLSPEC", "MODULE"}


class Smv:
    def __init__(self, text: str) -> None:
        self._tokens = [found for found in _TOKEN.findall(text) if not found.startswith("--") and found.strip()]
        self._at = 0
        self.variables: dict[str, list[Value]] = {}
        self.inputs: dict[str, list[Value]] = {}
        self.defines: dict[str, Expression] = {}
        self.first: dict[str, Expression] = {}
        self.next: dict[str, Expression] = {}
        self.initial: list[Expression] = []
        self.steps: list[Expression] = []
        self.invariants: list[Expression] = []
        self.ctl: list[Callable[[Graph], set[State]]] = []
        self._symbols: set[str] = set()
        self._read()

    # --- reading ----------------------------------------------------------------------------------------------------

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, wanted: str | None = None) -> str:
        token = self._peek()
        assert token and wanted in (None, token), (wanted, token, self._tokens[self._at - 5 : self._at + 5])
        self._at += 1
        return token

    def _sees(self, *tokens: str) -> bool:
        if self._peek() in tokens:
            self._at += 1
            return True
        return False

    def _read(self) -> None:
        self._take("MODULE")
        self._take("main")
        while self._peek():
            section = self._take()
            assert section in _SECTIONS, section
            if section in ("VAR", "IVAR"):
                self._declarations(self.variables if section == "VAR" else self.inputs)
            elif section == "DEFINE":
                while self._peek() not in _SECTIONS and self._peek():
                    name = self._take()
                    self._take(":=")
                    self.defines[name] = self._expression()
                    self._take(";")
            elif section == "ASSIGN":
                self._assignments()
            elif section == "INIT":
                self.initial.append(self._expression())
            elif section == "TRANS":
                self.steps.append(self._expression())
            elif section == "INVARSPEC":
                self.invariants.append(self._expression())
            elif section == "CTLSPEC":
                self.ctl.append(self._formula())
            else:
                while self._peek() and self._peek() not in _SECTIONS:
                    self._take()

    def _declarations(self, into: dict[str, list[Value]]) -> None:
        while self._peek() and self._peek() not in _SECTIONS:
            name = self._take()
            self._take(":")
            into[name] = self._type()
            self._take(";")

    def _type(self) -> list[Value]:
        if self._sees("boolean"):
            return [False, True]
        if self._sees("{"):
            values = [self._constant()]
            while self._sees(","):
                values.append(self._constant())
            self._take("}")
            return values
        low = self._constant()
        self._take("..")
        high = self._constant()
        assert isinstance(low, int) and isinstance(high, int)
        return list(range(low, high + 1))

    def _constant(self) -> Value:
        if self._sees("-"):
            return -int(self._take())
        token = self._take()
        if token.isdecimal():
            return int(token)
        self._symbols.add(token)
        return token

    def _assignments(self) -> None:
        while self._peek() in ("init", "next"):
            into = self.first if self._take() == "init" else self.next
            self._take("(")
            name = self._take()
            self._take(")")
            self._take(":=")
            into[name] = self._expression()
            self._take(";")

    # --- expressions --------------------------------------------------------------------------------------------------

    def _expression(self) -> Expression:
        test = self._implication()
        if not self._sees("?"):
            return test
        then = self._expression()
        self._take(":")
        orelse = self._expression()
        return lambda env: then(env) if test(env) else orelse(env)

    def _implication(self) -> Expression:
        left = self._disjunction()
        if self._sees("->"):
            right = self._implication()
            return lambda env: not left(env) or right(env)
        if self._sees("<->"):
            other = self._implication()
            return lambda env: left(env) == other(env)
        return left

    def _disjunction(self) -> Expression:
        parts = [self._conjunction()]
        while self._sees("|"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else lambda env: any(part(env) for part in parts)

    def _conjunction(self) -> Expression:
        parts = [self._comparison()]
        while self._sees("&"):
            parts.append(self._comparison())
        return parts[0] if len(parts) == 1 else lambda env: all(part(env) for part in parts)

    def _comparison(self) -> Expression:
        left = self._sum()
        if self._sees("in"):
            self._take("{")
            values = [self._sum()]
            while self._sees(","):
                values.append(self._sum())
            self._take("}")
            return lambda env: left(env) in [value(env) for value in values]
        for token, compare in _COMPARE.items():
            if self._sees(token):
                right = self._sum()
                return lambda env, compare=compare: compare(left(env), right(env))  # type: ignore[misc]
        return left

    def _sum(self) -> Expression:
        left = self._product()
        while self._peek() in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            left = _combined(left, self._product(), lambda a, b, sign=sign: a + sign * b)
        return left

    def _product(self) -> Expression:
        left = self._factor()
        while self._peek() in ("*", "/", "mod"):
            left = _combined(left, *reversed((_COMPUTE[self._take()], self._factor())))
        return left

    def _factor(self) -> Expression:
        if self._sees("!"):
            inner = self._factor()
            return lambda env: not inner(env)
        if self._sees("-"):
            number = self._factor()
            return lambda env: -number(env)
        if self._sees("("):
            bracketed = self._expression()
            self._take(")")
            return bracketed
        if self._sees("case"):
            return self._case()
        token = self._take()
        if token.isdecimal():
            value = int(token)
            return lambda env: value
        if token in ("TRUE", "FALSE"):
            truth = token == "TRUE"
            return lambda env: truth
        return lambda env: self._named(token, env)

    def _named(self, name: str, env: Environment) -> Value:
        if name in env:
            return env[name]
        if name in self.defines:
            found: Value = self.defines[name](env)
            env[name] = found  # a definition is a function of the state and the input
            return found
        assert name in self._symbols, name
        return name

    def _case(self) -> Expression:
        arms = []
        while not self._sees("esac"):
            test = self._expression()
            self._take(":")
            arms.append((test, self._expression()))
            self._take(";")
        return lambda env: next(value(env) for test, value in arms if test(env))

    # --- formulas -----------------------------------------------------------------------------------------------------

    def _formula(self) -> Callable[[Graph], set[State]]:
        left = self._formula_part()
        if self._sees("->"):
            right = self._formula()
            return lambda g: (g.states - left(g)) | right(g)
        if self._sees("<->"):
            other = self._formula()
            return lambda g: g.states - (left(g) ^ other(g))
        parts, operator = [left], self._peek()
        while operator in ("&", "|") and self._sees(operator):
            parts.append(self._formula_part())
        if operator == "&":
            return lambda g: set.intersection(*(part(g) for part in parts))
        return lambda g: set.union(*(part(g) for part in parts))

    def _formula_part(self) -> Callable[[Graph], set[State]]:
        token = self._peek()
        if token in ("AG", "AF", "AX", "EG", "EF", "EX"):
            self._take()
            inner = self._formula_part()
            return lambda g: _UNARY[token](g, inner(g))
        if token in ("A", "E"):
            self._take()
            self._take("[")
            left = self._formula()
            self._take("U")
            right = self._formula()
            self._take("]")
            return lambda g: (g.eu if token == "E" else g.au)(left(g), right(g))
        if self._sees("!"):
            negated = self._formula_part()
            return lambda g: g.states - negated(g)
        start = self._at
        if self._sees("("):
            depth, at = 1, self._at
            while depth:
                depth += {"(": 1, ")": -1}.get(self._tokens[at], 0)
                at += 1
            if {"AG", "AF", "AX", "EG", "EF", "EX", "A", "E"} & set(self._tokens[start:at]):
                bracketed = self._formula()
                self._take(")")
                return bracketed
            self._at = start
        atom = self._comparison()
        return lambda g: {state for state in g.states if atom(self.environment(state))}

    # --- running ------------------------------------------------------------------------------------------------------

    def environment(self, state: State) -> Environment:
        return dict(zip(self.variables, state, strict=True))

    def starts(self) -> Iterator[State]:
        if self.first:
            yield tuple(self.first[name]({}) for name in self.variables)
            return
        for conjunction in product(*self.variables.values()):
            if all(condition(self.environment(conjunction)) for condition in self.initial):
                yield conjunction

    def successors(self, state: State) -> Iterator[State]:
        """NuSMV wants a value of its type for each variable even if the command cannot be chosen."""
        for chosen in product(*self.inputs.values()):
            env = {**self.environment(state), **dict(zip(self.inputs, chosen, strict=True))}
            after = tuple(self.next[variable](env) for variable in self.variables)
            for value, domain in zip(after, self.variables.values(), strict=True):
                assert value in domain, (value, domain)
            if all(step(env) for step in self.steps):
                yield after

    def graph(self) -> Graph:
        starts = list(self.starts())
        found: dict[State, set[State]] = {}
        pending = list(starts)
        while pending:
            state = pending.pop()
            if state not in found:
                found[state] = set(self.successors(state))
                assert found[state], "no state is without a next one"
                pending += found[state]
        return Graph(found, starts)


class Graph:
    """All states with their successors, and the operators of CTL."""

    def __init__(self, successors: dict[State, set[State]], starts: list[State]) -> None:
        self.successors = successors
        self.states = set(successors)
        self.starts = starts

    def ex(self, target: set[State]) -> set[State]:
        return {state for state in self.states if self.successors[state] & target}

    def eu(self, left: set[State], right: set[State]) -> set[State]:
        found = set(right)
        while more := (self.ex(found) & left) - found:
            found |= more
        return found

    def eg(self, inner: set[State]) -> set[State]:
        found = set(inner)
        while less := found - self.ex(found):
            found -= less
        return found

    def au(self, left: set[State], right: set[State]) -> set[State]:
        outside = self.states - right
        return self.states - (self.eu(outside, outside - left) | self.eg(outside))


_UNARY: dict[str, Callable[[Graph, set[State]], set[State]]] = {
    "EX": lambda g, p: g.ex(p),
    "AX": lambda g, p: g.states - g.ex(g.states - p),
    "EF": lambda g, p: g.eu(g.states, p),
    "AG": lambda g, p: g.states - g.eu(g.states, g.states - p),
    "EG": lambda g, p: g.eg(p),
    "AF": lambda g, p: g.states - g.eg(g.states - p),
}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}
_COMPUTE: dict[str, Callable[[int, int], int]] = {
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "mod": lambda a, b: a - b * int(a / b),  # rounds towards zero, as NuSMV does
}


def _combined(left: Expression, right: Expression, compute: Callable[[Any, Any], Any]) -> Expression:
    return lambda env: compute(left(env), right(env))
