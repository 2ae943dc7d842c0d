"""What machine code is made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from asset.analysis.values.bit_layout import BitLayout
from asset.codegen.probes import NO_PROBES, Probes
from asset.ir import nodes as n
from asset.ir.program import Program

if TYPE_CHECKING:
    from asset.ir.groups import Group


class CompilerInput(NamedTuple):
    """If derived rules are used, `facts` are those of which they ask in each state, and successors come with their
    commands; None if there are no such rules. If there is a `group`, that of the symmetries found, representatives are
    by it, and requirements of which it has meanings are asked in these. `probes` are what the code writes besides
    states. `quick` code is to be ready soon, as better code takes over from it.
    """

    program: Program
    layout: BitLayout
    facts: tuple[n.Expr, ...] | None = None
    group: Group | None = None
    probes: Probes = NO_PROBES
    quick: bool = False
