"""What all parts of the generated module share."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from asset.analysis.intervals import Intervals
from asset.analysis.layout import Layout
from asset.analysis.writers import changes_state
from asset.codegen.places import REGISTER_WORDS, Extent, extents
from asset.codegen.text import Constants
from asset.ir import nodes as n
from asset.ir.program import Program


@dataclass(frozen=True)
class Unit:
    program: Program
    layout: Layout
    intervals: Intervals
    writers: frozenset[int]
    constants: Constants = field(default_factory=Constants)

    @cached_property
    def extents(self) -> tuple[Extent, ...]:
        return extents(self.program, self.layout)

    @cached_property
    def in_registers(self) -> bool:
        """Whether functions pass the state's words from one to the other, and not its address."""
        return self.layout.words <= REGISTER_WORDS

    @property
    def words(self) -> range:
        return range(self.layout.words)

    def changes_state(self, node: n.Node) -> bool:
        return changes_state(node, self.writers)

    def result_type(self, function: int) -> str:
        """What a function gives back: its status, its value and, where they may have changed, the state's words."""
        words = self.layout.words if self.in_registers and function in self.writers else 0
        return "{i32, i64" + ", i64" * words + "}"
