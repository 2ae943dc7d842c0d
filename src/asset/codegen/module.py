"""A program as the text of an LLVM module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asset.analysis.values.bit_layout import BitLayout
from asset.codegen.arithmetic import INTRINSICS, POWER
from asset.codegen.builder import DEFINITIONS
from asset.codegen.cell_access import write_copy, write_differ
from asset.codegen.entries import write_entries
from asset.codegen.functions import write_functions
from asset.codegen.rules import write_list_all
from asset.codegen.unit import Unit
from asset.ir import nodes as n
from asset.ir.program import Program

if TYPE_CHECKING:
    from asset.ir.groups import Group


def module_text(
    program: Program,
    layout: BitLayout,
    facts: tuple[n.Expr, ...] | None = None,
    group: Group | None = None,
    marks: int = 0,
) -> str:
    """The module: the entries of the table that the engine calls, and all they need; it refers to nothing outside."""
    unit = Unit(program, layout, facts, group, marks)
    functions = [*write_functions(unit), *write_entries(unit)]
    size = layout.words
    shared = {
        "@power": POWER,
        "@copy": write_copy(size),
        "@differ": write_differ(size),
        "@list_all": write_list_all(program.nr_commands),
    }
    needed = [text for name, text in shared.items() if any(f"{name}(" in function for function in functions)]
    return "\n".join([unit.constants.text(), INTRINSICS, *needed, *functions, DEFINITIONS])
