"""Walking over code leaves nothing out: the parts of a node are all nodes in its fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from codegen_programs import programs
from hypothesis import given, settings

from asset.ir import nodes as n
from asset.ir.program import Program


def parts(node: n.Node) -> Iterator[n.Node]:
    for each in fields(node):
        value = getattr(node, each.name)
        yield from (part for part in (value if isinstance(value, tuple) else (value,)) if isinstance(part, n.Node))


@settings(max_examples=30, deadline=None)
@given(programs())
def test_children_are_all_nodes_in_the_fields(tested: Program) -> None:
    for function in tested.functions:
        for node in n.walk(*function.body):
            assert list(n.children(node)) == list(parts(node))


def test_no_kind_of_node_has_a_field_that_is_overlooked() -> None:
    for kind in n.Node.__subclasses__():
        looked_at = set(n._fields_with_nodes(kind))
        for each in fields(kind):
            may_have = any(word in str(each.type) for word in ("Expr", "Stmt", "Case", "Generator", "Bind", "Node"))
            assert (each.name in looked_at) == may_have, (kind.__name__, each.name)
