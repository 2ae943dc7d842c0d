"""A program as the text of an LLVM module."""

from __future__ import annotations

from typing import NamedTuple

from asset.analysis.values.bit_layout import BitLayout
from asset.codegen.arithmetic import INTRINSICS, POWER
from asset.codegen.builder import DEFINITIONS
from asset.codegen.cell_access import write_copy, write_differ
from asset.codegen.entries import PREDICATES, write_entries
from asset.codegen.functions import write_functions
from asset.codegen.pieces import Piece, cut
from asset.codegen.rules import write_list_all
from asset.codegen.source import CompilerInput
from asset.codegen.successors import CANDIDATES, NAMED_SUCCESSORS, SUCCESSORS
from asset.codegen.unit import Unit, is_soon_better
from asset.ir.program import Program


class ModuleText(NamedTuple):
    """The entries of the table that the engine calls, and all they need, each as text; it refers to nothing outside."""

    definitions: list[str]
    surroundings: str
    large: bool
    """Whether it is to be compiled quickly rather than well."""
    well: tuple[str, ...] = ()
    """The functions of a large module that are to be compiled well all the same: those that are run for each state."""

    def whole(self) -> str:
        return "\n".join([*self.definitions, self.surroundings])

    def pieces(self) -> list[Piece]:
        """To be compiled on their own, and linked. Only the functions of a large program call each other."""
        return cut(self.definitions, self.surroundings, self.well) if self.large else [Piece(self.whole(), False)]


def module_of(source: CompilerInput) -> ModuleText:
    unit = Unit(source)
    functions = [*write_functions(unit), *write_entries(unit)]
    size = source.layout.words
    shared = {
        "@power": POWER,
        "@copy": write_copy(size),
        "@differ": write_differ(size),
        "@list_all": write_list_all(source.program.nr_commands),
    }
    needed = [text for name, text in shared.items() if any(f"{name}(" in function for function in functions)]
    definitions = [*unit.constants.definitions(), *needed, *functions]
    soon_replaced = source.quick and is_soon_better(source.program)
    well = () if soon_replaced else (CANDIDATES, PREDICATES, SUCCESSORS, NAMED_SUCCESSORS)
    return ModuleText(definitions, INTRINSICS + DEFINITIONS, unit.large, well)


def module_text(program: Program, layout: BitLayout) -> str:
    """The module in one piece, without reductions."""
    return module_of(CompilerInput(program, layout)).whole()
