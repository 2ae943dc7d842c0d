"""A program as machine code, behind the table of functions that the engine calls."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from asset.analysis.values.bit_layout import BitLayout, choose_layout
from asset.analysis.values.interval import Interval, declared_ranges
from asset.analysis.values.reached_ranges import initial_ranges, reached_ranges
from asset.codegen import cache
from asset.codegen.abi import ABI_VERSION, ModelTable, has_rules
from asset.codegen.description import description
from asset.codegen.loader import LoadedCode, load
from asset.ir import nodes as n
from asset.ir.program import Program, State
from asset.ir.reductions import NO_REDUCTIONS, Reductions
from asset.ir.requirements import Predicate, StepPredicate

if TYPE_CHECKING:
    from asset.analysis.stubborn.fact_groups import FactGroups, FlatFacts
    from asset.ir.groups import Group

Facts = tuple[n.Expr, ...]


class CompilerInput(NamedTuple):
    """What machine code is made from. `facts` are those that derived rules ask of each state, None if there are no
    such rules; `group` is that of the symmetries found, None if none are used. `marks` is the address of a byte for
    each mark, 0 if the program has none."""

    program: Program
    layout: BitLayout
    facts: Facts | None
    group: Group | None = None
    marks: int = 0


class CompiledModel:
    """A program with its machine code, which stays in memory with its table as long as this object."""

    def __init__(
        self, source: CompilerInput, fact_groups: FactGroups | None, code: LoadedCode, from_cache: bool
    ) -> None:
        self.program = source.program
        self.layout = source.layout
        self._fact_groups = fact_groups
        self.from_cache = from_cache
        self._code = code
        self._table = _table(source, code)

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """By their numbers in the table."""
        return self.program.predicates

    @property
    def step_predicates(self) -> tuple[StepPredicate, ...]:
        """By their numbers in the table."""
        return self.program.step_predicates

    @property
    def address(self) -> int:
        """Of the struct asset_model."""
        return ctypes.addressof(self._table)

    @property
    def flat_facts(self) -> FlatFacts:
        """The facts of derived rules that are known by tables, and those that are not, as native/rules.h has them."""
        assert self._fact_groups is not None, "the model was made for derived rules"
        return self._fact_groups.flat(self.layout)

    @property
    def places(self) -> list[tuple[int, int, int]]:
        """By cell: its word in a packed state, and its shift and width there."""
        return [(cell.word, cell.shift, cell.width) for cell in self.layout.cells]

    @property
    def state_words(self) -> int:
        return self.layout.words

    def pack(self, state: State) -> tuple[int, ...]:
        return self.layout.pack(state)

    def unpack_run(self, words: Sequence[int]) -> Iterator[State]:
        return self.layout.unpack_run(words)

    def unpack(self, words: Sequence[int]) -> State:
        return self.layout.unpack(words)


def compile(
    program: Program,
    reductions: Reductions = NO_REDUCTIONS,
    anywhere: bool = False,
) -> CompiledModel:
    """The program as machine code for searches with these reductions, from the cache if it was compiled before.

    Hand-written rules and representatives that are not used are left out: they take as long to compile as all else.
    The code is for states that can be reached from the initial ones or, with `anywhere`, for all that there are.
    """
    facts = None if reductions.derived is None else reductions.derived.facts
    return _compiled(_reduced_by(program, reductions), facts, reductions.group, anywhere)


def compile_marked(program: Program, marks: ctypes.Array[ctypes.c_uint8]) -> CompiledModel:
    """The program as machine code that sets a byte for each mark that it reaches; without reductions. The bytes must
    stay where they are as long as the code is run, and so it is not for the cache."""
    program = _reduced_by(program, NO_REDUCTIONS)
    layout = choose_layout(program, reached_ranges(program))
    source = CompilerInput(program, layout, None, None, ctypes.addressof(marks))
    return CompiledModel(source, None, load(_generate(source)), from_cache=False)


def compile_named(program: Program) -> CompiledModel:
    """The program as machine code whose successors come with the commands that lead to them; without reductions."""
    return _compiled(_reduced_by(program, NO_REDUCTIONS), ())


def _compiled(
    program: Program, facts: Facts | None, group: Group | None = None, anywhere: bool = False
) -> CompiledModel:
    """Symmetries may lead to states that cannot be reached: then cells have room for all values of their types."""
    anywhere = anywhere or group is not None or program.representative is not None
    begun = declared_ranges(program) if anywhere else initial_ranges(program)
    described = description(program, begun, facts, group.outline if group else None)
    kept = cache.fetch(described)
    ranges = begun if anywhere else reached_ranges(program) if kept is None else _ranges_in(kept)
    layout = choose_layout(program, ranges)
    fact_groups, asked = _grouped(program, layout, facts)
    source = CompilerInput(program, layout, asked, group)
    if kept is None:
        data = _generate(source)
        cache.keep(described, _with_ranges(ranges, data))
    else:
        data = kept[kept.index(b"\n") + 1 :]
    return CompiledModel(source, fact_groups, load(data), kept is not None)


def _grouped(program: Program, layout: BitLayout, facts: Facts | None) -> tuple[FactGroups | None, Facts | None]:
    """The facts by groups, and those that are asked of each state."""
    if facts is None:
        return None, None
    from asset.analysis.stubborn.fact_groups import group_facts  # here, as few models need it

    groups = group_facts(program, layout, facts)
    return groups, tuple(facts[number] for number in groups.far)


def _with_ranges(ranges: Sequence[Interval], data: bytes) -> bytes:
    """What is kept: finding the ranges takes as long as making code with them."""
    return ",".join(f"{r.lo} {r.hi}" for r in ranges).encode() + b"\n" + data


def _ranges_in(kept: bytes) -> tuple[Interval, ...]:
    line = kept[: kept.index(b"\n")].decode()
    return tuple(Interval(*map(int, part.split())) for part in line.split(",") if part)


def _reduced_by(program: Program, reductions: Reductions) -> Program:
    """The program without the hand-written reductions that are not used."""
    if not reductions.hand_rules and has_rules(program):
        program = replace(program, families=tuple(replace(family, rule=None) for family in program.families))
    if not reductions.hand_symmetry and program.representative is not None:
        program = replace(program, representative=None)
    return program


def _generate(source: CompilerInput) -> bytes:
    from asset.codegen.llvm import object_code
    from asset.codegen.module import module_text
    from asset.codegen.unit import is_large

    return object_code(module_text(*source), quickly=is_large(source.program))


def _table(source: CompilerInput, code: LoadedCode) -> ModelTable:
    program, layout, facts, group, _ = source
    return ModelTable(
        ABI_VERSION,
        layout.words,
        layout.bits,
        program.nr_commands,
        len(program.predicates),
        len(facts or ()),
        code.address("successors") if facts is None else None,
        code.address("fire"),
        code.address("predicates") if program.predicates else None,
        code.address("obligations") if has_rules(program) else None,
        code.address("representatives") if group or program.representative is not None else None,
        code.address("named_successors") if facts is not None else None,
        code.address("facts") if facts else None,
        code.address("steps") if group and group.meanings else None,
        code.address("holds") if group and group.meanings else None,
        code.address("holds_of_step") if program.step_predicates else None,
    )
