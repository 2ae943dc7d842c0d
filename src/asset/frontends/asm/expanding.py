"""Formulas whose operators are in derived functions: these are written out, and quantifiers over sets of formulas too.

`ensures(p, {q, r})` is then what the definition of `ensures` says of p, q and r.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from asset.frontends.asm import tree as t
from asset.frontends.asm.problems import Rejected, wrong_number
from asset.frontends.asm.signature import Signature

IsTemporal = Callable[[t.Term], bool]
"""Whether the term has an operator of temporal logic in it, as it is written."""


class Expanding:
    """Writes out what stands between the formula of a property and its temporal operators."""

    def __init__(self, names: Signature, is_temporal: IsTemporal) -> None:
        self._names = names
        self._is_temporal = is_temporal
        self._known: dict[str, bool] = {}

    def expanded(self, term: t.Term) -> t.Term:
        found: t.Term = t.changed(term, self._written_out)
        return found

    def _written_out(self, node: t.Node) -> t.Node:
        match node:
            case t.Name(name=name) | t.Apply(name=name) if self._defines_formula(name):
                definition = self._names.functions[name].definition
                assert definition is not None
                args = node.args if isinstance(node, t.Apply) else ()
                if len(args) != len(definition.params):
                    raise wrong_number(name, len(definition.params), len(args), node.span)
                given = {each.pattern: arg for each, arg in zip(definition.params, args, strict=True)}
                values = {pattern.name: arg for pattern, arg in given.items() if isinstance(pattern, t.Name)}
                return self.expanded(_replaced(definition.body, values))
            case t.Quantified(quantifier="forall" | "exist", binders=(first, *rest), body=body):
                of = first.domain
                if isinstance(of, t.SetDisplay) and any(map(self._is_temporal, (body, *of.items))):
                    return self._each(node, of.items, first.pattern, tuple(rest))
        return node

    def _each(self, node: t.Quantified, items: tuple[t.Term, ...], of: t.Term, rest: tuple[t.Binder, ...]) -> t.Term:
        """The formula for each of the items."""
        if not isinstance(of, t.Name):
            raise Rejected("a quantifier over formulas binds a variable", node.span, "write forall $x in {…} with …")
        inner = t.Quantified(node.span, node.quantifier, rest, node.body) if rest else node.body
        found: t.Term = t.Truth(node.span, node.quantifier == "forall")
        for item in items:
            op = "and" if node.quantifier == "forall" else "or"
            found = t.Binary(node.span, op, found, self.expanded(_replaced(inner, {of.name: item})))
        return found

    def _defines_formula(self, name: str) -> bool:
        """Whether it is a function of the machine with temporal operators in its definition, or in one that it uses."""
        function = self._names.functions.get(name)
        if function is None or function.definition is None or function.is_dynamic:
            return False
        if name not in self._known:
            self._known[name] = False  # if it calls itself
            body = function.definition.body
            below = {each.name for each in t.walk(body) if isinstance(each, t.Name | t.Apply)}
            self._known[name] = self._is_temporal(body) or any(map(self._defines_formula, below))
        return self._known[name]


def _replaced(term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
    """The term with others in the place of variables."""
    bound = {
        each.pattern.name for each in t.walk(term) if isinstance(each, t.Binder) and isinstance(each.pattern, t.Name)
    }
    free = {each.name for value in values.values() for each in t.walk(value) if isinstance(each, t.Name)}
    if clash := next(iter(bound & free), None):
        raise Rejected(f"{clash} is another variable in what is written out here", term.span, "rename one of them")

    def change(node: t.Node) -> t.Node:
        return values.get(node.name, node) if isinstance(node, t.Name) and node.name not in bound else node

    found: t.Term = t.changed(term, change)
    return found
