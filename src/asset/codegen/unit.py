"""What all parts of the generated module share."""

from __future__ import annotations

from asset.analysis.values.interval_analysis import find_intervals
from asset.analysis.values.state_access import changes_state, state_writers
from asset.codegen.builder import ConstantArrays
from asset.codegen.candidates import find_candidates
from asset.codegen.cell_access import REGISTER_WORDS, extents
from asset.codegen.source import CompilerInput
from asset.ir import nodes as n
from asset.ir.coverage import marking_if_disabled
from asset.ir.program import Program
from asset.ir.rounds import counted_loops, functions_that_count

# Programs with more nodes than this are large. LLVM takes more than linear time for a function: at this size, about a
# second for one that has all commands in it. If tables select the commands to try, less is gained by that: when
# all of an interlocking with 418 transitions was compiled well, it took a tenth less time to explore, and six times as
# long to compile.
LARGE_NODES = 6_000
LARGE_SELECTED_NODES = 1_500


# Programs with more nodes than this are compiled twice: half of the time that it takes to compile them well is a tenth
# of a second or more. Those with more than the other number are not, as it takes several seconds to compile them well.
TIERED_NODES = 400
MOST_TIERED_NODES = 40_000


def is_large(program: Program, selected: bool) -> bool:
    """Whether commands are compiled as functions of their own, and quickly rather than well."""
    return _nodes(program) > (min(LARGE_NODES, LARGE_SELECTED_NODES) if selected else LARGE_NODES)


def is_tiered(program: Program) -> bool:
    """Whether it pays to run quick code until better code is there."""
    return TIERED_NODES < _nodes(program) <= MOST_TIERED_NODES


def is_soon_better(program: Program) -> bool:
    """Whether better code, if it is made, is there so soon that it hardly matters what is run until then."""
    return _nodes(program) <= LARGE_NODES


def _nodes(program: Program) -> int:
    return sum(1 for function in program.functions for _ in function.nodes)


class Unit:
    """The program with what is known about it, and the constants of the module."""

    def __init__(self, source: CompilerInput) -> None:
        program, layout, facts, group, probes, quick = source
        self.program = program
        self.probes = probes
        self.group = group
        self.layout = layout
        self.facts = facts or ()
        self.names_commands = facts is not None
        self.words = range(layout.words)
        self.in_registers = layout.words <= REGISTER_WORDS
        """Whether functions pass the state's words from one to the other, and not its address."""
        self.extents = extents(program, layout)
        self.families = [(number, family) for number, family in enumerate(program.families) if family.size]
        """The families that have commands, with their numbers."""
        self.intervals = find_intervals(program, layout.ranges)
        self.writers = state_writers(program)
        self.counted = counted_loops(program)
        self.counting = functions_that_count(program, self.counted)
        """The functions that are given the work that loops have done so far, and give it back with their own."""
        self.constants = ConstantArrays()
        self.candidates = find_candidates(program, layout, marking_if_disabled(program) if probes.marks else ())
        """How the commands to try are found; None if all are tried."""
        self.large = quick or is_large(program, selected=self.candidates is not None)

    @property
    def linkage(self) -> str:
        """Of commands, and of what fires some of them: in a large program, other pieces of it may call them."""
        return "hidden" if self.large else "private"

    def changes_state(self, node: n.Node) -> bool:
        return changes_state(node, self.writers)

    def result_type(self, function: int) -> str:
        """What a function gives back: its status, its value, the state's words if they may have changed, and the work
        that loops have done if it counts it."""
        work = 1 if function in self.counting else 0
        return "{i32, i64" + ", i64" * (self.result_words(function) + work) + "}"

    def result_words(self, function: int) -> int:
        return self.layout.words if self.in_registers and function in self.writers else 0

    def work_argument(self, function: int, work: str = "0") -> list[str]:
        """The last argument of a call of the function, if it counts the work of loops."""
        return [f"i64 {work}"] if function in self.counting else []
