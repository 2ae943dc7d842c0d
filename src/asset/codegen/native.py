"""A program as machine code, behind the table of functions that the engine calls."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from asset.analysis.layout import Layout, choose_layout
from asset.codegen import cache
from asset.codegen.abi import ABI_VERSION, ModelTable, has_rules, predicates
from asset.codegen.description import description
from asset.codegen.loader import Code, load
from asset.ir import nodes as n
from asset.ir.program import Program, State

if TYPE_CHECKING:
    from asset.analysis.fact_groups import FactGroups, FlatFacts
    from asset.ir.symmetric import Group

Facts = tuple[n.Expr, ...]


class Source(NamedTuple):
    """What machine code is made from. `facts` are those that derived rules ask of each state, None where there are no
    such rules; `group` is that of the symmetries found, None where none are used."""

    program: Program
    layout: Layout
    facts: Facts | None
    group: Group | None = None


class NativeModel:
    """A program with its machine code, which stays in memory with its table as long as this object."""

    def __init__(self, source: Source, fact_groups: FactGroups | None, code: Code, from_cache: bool) -> None:
        self.program = source.program
        self.layout = source.layout
        self._fact_groups = fact_groups
        self.from_cache = from_cache
        self._code = code
        self._table = _table(source, code)

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
    def state_words(self) -> int:
        return self.layout.words

    @property
    def start(self) -> tuple[int, ...]:
        """The words of the state that a search starts in."""
        return self.pack(self.program.initial)

    def pack(self, state: State) -> tuple[int, ...]:
        return self.layout.pack(state)

    def unpack(self, words: Sequence[int]) -> State:
        return self.layout.unpack(words)


def compile(
    program: Program,
    stubborn: bool = True,
    symmetry: bool = True,
    facts: Facts | None = None,
    group: Group | None = None,
) -> NativeModel:
    """The program as machine code, from the cache where it was compiled before.

    Its rules are left out where no stubborn sets are asked for, and its representative where no symmetry is: they take
    as long to compile as all else. Where stubborn sets are found by derived rules, `facts` are what those speak of.
    With a `group`, representatives are by it, and not those of the program.
    """
    program = _reduced_by(program, stubborn, symmetry and group is None)
    layout = choose_layout(program)
    fact_groups, asked = None, None
    if facts is not None:
        from asset.analysis.fact_groups import group_facts  # here, as few models need it

        fact_groups = group_facts(program, layout, facts)
        asked = tuple(facts[number] for number in fact_groups.far)
    source = Source(program, layout, asked, group)
    described = description(program, asked, group.outline if group else None)
    data = cache.fetch(described)
    from_cache = data is not None
    if data is None:
        data = _generate(source)
        cache.keep(described, data)
    return NativeModel(source, fact_groups, load(data), from_cache)


def _reduced_by(program: Program, stubborn: bool, symmetry: bool) -> Program:
    """The program without the hand-written reductions that are not asked for."""
    if not stubborn and has_rules(program):
        program = replace(program, families=tuple(replace(family, rule=None) for family in program.families))
    if not symmetry and program.representative is not None:
        program = replace(program, representative=None)
    return program


def _generate(source: Source) -> bytes:
    from asset.codegen.llvm import object_code
    from asset.codegen.module import module_text

    return object_code(module_text(*source))


def _table(source: Source, code: Code) -> ModelTable:
    program, layout, facts, group = source
    return ModelTable(
        ABI_VERSION,
        layout.words,
        layout.bits,
        program.nr_commands,
        len(predicates(program)),
        len(facts or ()),
        code.address("successors") if facts is None else None,
        code.address("fire"),
        code.address("predicates") if predicates(program) else None,
        code.address("obligations") if has_rules(program) else None,
        code.address("representatives") if group or program.representative is not None else None,
        code.address("named_successors") if facts is not None else None,
        code.address("facts") if facts else None,
        code.address("steps") if group and group.meanings else None,
        code.address("holds") if group and group.meanings else None,
    )
