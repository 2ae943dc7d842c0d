"""A program as machine code, behind the table of functions that the engine calls."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from asset.analysis.values.bit_layout import BitLayout, choose_layout
from asset.analysis.values.interval import Interval, declared_ranges
from asset.analysis.values.reached_ranges import initial_ranges, reached_ranges
from asset.codegen import cache
from asset.codegen.abi import ABI_VERSION, ModelTable, has_rules
from asset.codegen.description import description
from asset.codegen.loader import load
from asset.codegen.probes import Probes
from asset.codegen.source import CompilerInput
from asset.ir.program import Program, State
from asset.ir.reductions import NO_REDUCTIONS, Reductions
from asset.ir.requirements import Predicate, StepPredicate
from asset.processor import processors

if TYPE_CHECKING:
    from asset.analysis.stubborn.fact_groups import FactGroups, FlatFacts
    from asset.codegen.compiling import Meanwhile
    from asset.codegen.module import ModuleText
    from asset.ir.derived import AskedFact
    from asset.ir.groups import Group


class MachineCode:
    """Machine code in memory, and the table of its functions. In another process, of a machine of the same kind, it is
    loaded again. `entries` are the fields of the table: numbers, and names of functions."""

    def __init__(self, objects: Sequence[bytes], entries: tuple[int | str | None, ...]) -> None:
        self._objects = objects
        self._entries = entries
        self._code = load(objects)
        self._table = ModelTable(*(self._code.address(each) if isinstance(each, str) else each for each in entries))

    def __reduce__(self) -> tuple[object, ...]:
        return MachineCode, (self._objects, self._entries)

    @property
    def address(self) -> int:
        """Of the struct asset_model."""
        return ctypes.addressof(self._table)

    def entry(self, name: str) -> int:
        """The address of a function that is in no table; 0 if there is none."""
        return self._code.address(name)


class CompiledModel:
    """A program with its machine code, which stays in memory with its table as long as this object."""

    def __init__(
        self,
        source: CompilerInput,
        fact_groups: FactGroups | None,
        objects: Sequence[bytes],
        from_cache: bool = False,
        described: bytes = b"",
    ) -> None:
        self.program = source.program
        self.layout = source.layout
        self._source = source
        self._fact_groups = fact_groups
        self._better: Meanwhile | None = None
        self.from_cache = from_cache
        self.description = described
        """Equal for models with the same code; empty if it is not for the cache."""
        self.code = MachineCode(objects, _entries(source))
        self._codes = [self.code]  # searches may still be running earlier ones

    def improve_meanwhile(self) -> None:
        """Has better code made by another process."""
        from asset.codegen.compiling import Meanwhile

        source, described = self._source, self.description  # not this object, whose end is that of the process
        with suppress(OSError):  # the system allows no further process
            self._better = Meanwhile(
                lambda: _module(source).whole(),
                lambda objects: cache.keep(described, _with_ranges(source.layout.ranges, objects)),
            )

    def better(self) -> int | None:
        """If better code has been made since the last call, the address of its table."""
        objects = self._better.poll() if self._better else None
        if objects is None:
            return None
        self._better = None
        if objects:  # else the system gave it too little
            self.code = MachineCode(objects, _entries(self._source))
            self._codes.append(self.code)
        return self.address if objects else None

    def improve_for_later(self) -> None:
        """Better code that is being made will be there next time, though nobody waits for it."""
        if self._better is not None:
            self._better.let_go()

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
        return self.code.address

    def entry(self, name: str) -> int:
        """The address of a function of the code that is in no table; 0 if there is none."""
        return self.code.entry(name)

    @property
    def flat_facts(self) -> FlatFacts:
        """The facts of derived rules that are known by tables, and those that are not, as native/rules.h has them."""
        groups = self._fact_groups or _grouped(self.program, self.layout, ())
        return groups.flat(self.layout)

    @property
    def places(self) -> list[tuple[int, int, int]]:
        """By cell: its word in a packed state, and its shift and width there."""
        return [(cell.word, cell.shift, cell.width) for cell in self.layout.cells]

    @property
    def sizes(self) -> list[int]:
        """By cell: how many values it can have."""
        ranges = zip(self.layout.ranges, self.program.variables, strict=True)
        return [each.hi - each.lo + 1 for each, variable in ranges for _ in range(variable.cells)]

    def touched_bits(self) -> Iterator[int]:
        """The bits of a packed state that commands touch, as native/step_tables.h has them: one number after the
        other."""
        from asset.analysis.values.footprints import footprints  # here, as only random runs need it

        for command, masks in enumerate(footprints(self.program, self.layout)):
            for word, mask in (masks or {}).items():
                yield from (command, word, mask)

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
    named: bool = False,
    soon: bool = False,
) -> CompiledModel:
    """The program as machine code for searches with these reductions, from the cache if it was compiled before.

    Hand-written rules and representatives that are not used are left out: they take as long to compile as all else.
    The code is for states that can be reached from the initial ones or, with `anywhere`, for all that there are. If it
    is `named`, successors come with the commands that lead to them; they do for derived rules. If it is wanted `soon`,
    it may be quick code, and better code is made meanwhile: who runs it asks for that.
    """
    facts = reductions.derived.asked if reductions.derived else () if named else None
    return _compiled(_reduced_by(program, reductions), facts, reductions.group, anywhere, soon)


def compile_marked(program: Program, marks: ctypes.Array[ctypes.c_uint8]) -> CompiledModel:
    """The program as machine code that sets a byte for each mark that it reaches; without reductions. The bytes must
    stay where they are as long as the code is run, and so it is not for the cache."""
    return _probed(program, Probes(marks=ctypes.addressof(marks)))


def compile_counted(program: Program, counts: ctypes.Array[ctypes.c_uint64]) -> CompiledModel:
    """The program as machine code that counts in two words for each command how often it was tried, and how often it
    fired, and that has an entry for each family besides; as with marks, without reductions and not for the cache."""
    return _probed(program, Probes(counts=ctypes.addressof(counts)))


def _probed(program: Program, probes: Probes) -> CompiledModel:
    program = _reduced_by(program, NO_REDUCTIONS)
    source = CompilerInput(program, choose_layout(program, reached_ranges(program)), probes=probes)
    return CompiledModel(source, None, _generate(source))


def compile_named(program: Program) -> CompiledModel:
    """The program as machine code whose successors come with the commands that lead to them; without reductions."""
    return _compiled(_reduced_by(program, NO_REDUCTIONS), ())


def _compiled(
    program: Program,
    facts: tuple[AskedFact, ...] | None,
    group: Group | None = None,
    anywhere: bool = False,
    soon: bool = False,
) -> CompiledModel:
    """Symmetries may lead to states that cannot be reached: then cells have room for all values of their types."""
    anywhere = anywhere or group is not None or program.representative is not None
    begun = declared_ranges(program) if anywhere else initial_ranges(program)
    described = description(program, begun, facts, group.outline if group else None)
    kept = cache.fetch(described)
    quick, improved = False, soon and _may_be_improved()
    if kept is None and (improved or _is_quick_anyway(program)):
        kept = cache.fetch(described + _QUICK)
        quick = kept is not None or _is_tiered(program)
    ranges = begun if anywhere else reached_ranges(program) if kept is None else _ranges_in(kept)
    layout = choose_layout(program, ranges)
    fact_groups = _grouped(program, layout, facts) if facts else None
    far = tuple(each.condition for each in fact_groups.far) if fact_groups else ()
    source = CompilerInput(program, layout, None if facts is None else far, group)
    if kept is None:
        objects = _generate(source._replace(quick=quick))
        cache.keep(described + _QUICK * quick, _with_ranges(ranges, objects))
    else:
        objects = _objects_in(kept)
    model = CompiledModel(source, fact_groups, objects, kept is not None, described)
    if quick and improved:
        model.improve_meanwhile()
    return model


_QUICK = b"\nquick"


def _may_be_improved() -> bool:
    """With one processor, making better code meanwhile would take the time that it saves."""
    from asset.codegen.compiling import may_fork

    return processors() > 1 and may_fork()


def _is_tiered(program: Program) -> bool:
    from asset.codegen.unit import is_tiered

    return is_tiered(program)


def _is_quick_anyway(program: Program) -> bool:
    """Whether there is better code only if it is made meanwhile: then what is made else is not kept in its place."""
    from asset.codegen.unit import is_soon_better, is_tiered

    return is_tiered(program) and not is_soon_better(program)


def _grouped(program: Program, layout: BitLayout, facts: Sequence[AskedFact]) -> FactGroups:
    """The facts by groups."""
    from asset.analysis.stubborn.fact_groups import group_facts  # here, as few models need it

    return group_facts(program, layout, facts)


def _with_ranges(ranges: Sequence[Interval], objects: Sequence[bytes]) -> bytes:
    """What is kept: a line with the ranges, as finding them takes as long as making code with them, one with the sizes
    of the objects, and these."""
    lines = (",".join(f"{r.lo} {r.hi}" for r in ranges), " ".join(str(len(data)) for data in objects))
    return "".join(f"{line}\n" for line in lines).encode() + b"".join(objects)


def _objects_in(kept: bytes) -> list[bytes]:
    _, sizes, data = kept.split(b"\n", 2)
    ends = list(accumulate(map(int, sizes.split())))
    return [data[begin:end] for begin, end in pairwise([0, *ends])]


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


def _generate(source: CompilerInput) -> list[bytes]:
    from asset.codegen.compiling import object_codes

    return object_codes(_module(source).pieces())


def _module(source: CompilerInput) -> ModuleText:
    from asset.codegen.module import module_of

    return module_of(source)


def _entries(source: CompilerInput) -> tuple[int | str | None, ...]:
    program, layout, facts, group, *_ = source
    return (
        ABI_VERSION,
        layout.words,
        layout.bits,
        program.nr_commands,
        len(program.predicates),
        len(facts or ()),
        "successors" if facts is None else None,
        "fire",
        "predicates" if program.predicates else None,
        "obligations" if has_rules(program) else None,
        "representatives" if group or program.representative is not None else None,
        "named_successors" if facts is not None else None,
        "facts" if facts else None,
        "steps" if group and group.meanings else None,
        "holds" if group and group.meanings else None,
        "holds_of_step" if program.step_predicates else None,
    )
