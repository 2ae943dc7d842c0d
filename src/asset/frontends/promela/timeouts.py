"""Statements that wait for a timeout: they are executed only where no other statement can be.

`timeout` is true where no process can go on without one. So a statement whose condition implies it is enabled only
where no statement is that does not speak of timeouts. If there are no others that speak of them (`x || timeout`), the
statements that wait for a timeout are the last resorts of the model.
"""

from __future__ import annotations

from asset.frontends.promela import syntax as s
from asset.frontends.promela.control import Step
from asset.frontends.promela.layout import Kind
from asset.frontends.promela.naming import parts_of


def waits(step: Step) -> bool:
    """Whether the step can only be taken if there is a timeout."""
    return isinstance(step.statement, s.Condition) and _implies(step.statement.value)


def only_waited_for(kind: Kind) -> bool:
    """Whether processes of the kind speak of timeouts in such steps alone, outside of a d_step."""
    control = kind.control
    inside = [step for each in control.inside.values() for steps in each.steps.values() for step in steps]
    plain = [step for steps in control.steps.values() for step in steps if not waits(step)]
    return not any(_speaks(part) for part in (kind.process.provided, *(step.statement for step in inside + plain)))


def _speaks(node: s.Node | None) -> bool:
    return any(_is_timeout(part) for part in parts_of(node))


def _implies(e: s.Expr) -> bool:
    if isinstance(e, s.Binary) and e.op == "&&":
        return _implies(e.left) or _implies(e.right)
    return _is_timeout(e)


def _is_timeout(node: object) -> bool:
    return isinstance(node, s.Predefined) and node.name == "timeout"
