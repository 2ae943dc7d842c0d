"""Functions that belong to a rule, `local f: D [R] S`: locations that are forgotten when the rule is done.

They become functions of the machine, and the rule a sequence that ends with making them `undef`. So they are `undef` in
every state, and two calls of the rule in one step do not see what the other does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from asset.errors import Diagnostic
from asset.frontends.asm import tree as t
from asset.frontends.asm.overloads import Renaming


def with_local_functions(machine: t.Machine) -> tuple[t.Machine, list[Diagnostic]]:
    """The machine without such rules, and what is wrong with them."""
    made = _LocalFunctions(machine)
    rules = tuple(map(made.rule, machine.rules))
    return replace(machine, rules=rules, functions=(*machine.functions, *made.functions)), made.problems


class _LocalFunctions:
    def __init__(self, machine: t.Machine) -> None:
        self._rules = {rule.name: rule for rule in machine.rules}
        self._taken = Counter(each.name for each in machine.functions)
        local = (each for each in t.walk(*machine.rules) if isinstance(each, t.LocalsRule))
        self._taken.update(function.name for each in local for function in each.functions)
        self.functions: list[t.Function] = []
        self.problems: list[Diagnostic] = []

    def rule(self, rule: t.RuleDefinition) -> t.RuleDefinition:
        if not any(isinstance(each, t.LocalsRule) for each in t.walk(rule.body)):
            return rule
        if self._calls_itself(rule):
            message = f"{rule.name} has local functions and calls itself"
            self.problems.append(Diagnostic(message, rule.span, "give what they hold to the call as an argument"))
        return replace(rule, body=t.changed(rule.body, lambda node: self._sequence(node, rule.name)))

    def _calls_itself(self, rule: t.RuleDefinition) -> bool:
        seen: set[str] = set()
        pending = [rule]
        while pending:
            for each in t.walk(pending.pop().body):
                called = each.name if isinstance(each, t.CallRule) else None
                if called == rule.name:
                    return True
                if called in self._rules and called not in seen:
                    seen.add(called)
                    pending.append(self._rules[called])
        return False

    def _sequence(self, node: t.Node, rule: str) -> t.Node:
        if not isinstance(node, t.LocalsRule):
            return node
        names = {
            (each.name, len(each.args)): f"{each.name} of {rule}"
            for each in node.functions
            if self._taken[each.name] > 1
        }
        node = Renaming(names, {}).of(node)
        self.functions += node.functions
        return t.SequenceRule(node.span, (*node.rules, *map(_forgotten, node.functions)))


def _forgotten(function: t.Function) -> t.Rule:
    """Makes all locations of the function `undef`."""
    span = function.span
    names = tuple(t.Name(span, f"$at{k}") for k in range(len(function.args)))
    binders = tuple(
        t.Binder(span, name, t.Name(span, of.name if isinstance(of, t.TypeName) else "?"))
        for name, of in zip(names, function.args, strict=True)
    )
    location = t.Apply(span, function.name, names) if names else t.Name(span, function.name)
    update = t.Update(span, location, t.Undef(span))
    return t.ForallRule(span, binders, None, update) if binders else update
