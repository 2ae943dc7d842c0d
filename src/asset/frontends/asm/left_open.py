"""Which inputs the environment may leave without a value: those of which the machine asks whether they have one."""

from __future__ import annotations

from asset.frontends.asm import tree as t

INPUTS = ("monitored", "shared")


def left_open(machine: t.Machine) -> set[str]:
    """The functions that are compared with `undef`, or said to be that initially."""
    parts = (*machine.definitions, *machine.rules, *machine.specifications)
    found = {of.name for node in t.walk(*parts) for of in _asked(node) if isinstance(of, t.Name | t.Apply)}
    initial = (each for one in machine.initials for each in one.functions)
    return found | {each.name for each in initial if isinstance(each.body, t.Undef)}


def _asked(node: t.Node) -> tuple[t.Term, ...]:
    match node:
        case t.Apply(name="isDef" | "isUndef", args=args):
            return args
        case t.Binary(op="=" | "!=", left=left, right=t.Undef()):
            return (left,)
        case t.Binary(op="=" | "!=", left=t.Undef(), right=right):
            return (right,)
    return ()
