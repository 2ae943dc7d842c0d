"""A program as machine code, behind the table of functions that the engine calls."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from asset.analysis.layout import Layout, choose_layout
from asset.codegen import cache
from asset.codegen.abi import ABI_VERSION, KINDS, ModelTable, label_name
from asset.codegen.fingerprint import fingerprint
from asset.codegen.loader import Code, load
from asset.ir.program import Program, State


@dataclass(frozen=True)
class NativeModel:
    """Keeps the code and its table in memory; `seconds` is what it took to get them."""

    layout: Layout
    seconds: float
    from_cache: bool
    _table: ModelTable = field(repr=False)
    _code: Code = field(repr=False)

    @property
    def address(self) -> int:
        """Of the struct asset_model."""
        return ctypes.addressof(self._table)

    @property
    def state_words(self) -> int:
        return self.layout.words

    def pack(self, state: State) -> tuple[int, ...]:
        return self.layout.pack(state)

    def unpack(self, words: Sequence[int]) -> State:
        return self.layout.unpack(words)


def compile(program: Program) -> NativeModel:
    """The program as machine code, from the cache where it was compiled before."""
    started = time.perf_counter()
    layout = choose_layout(program)
    key = fingerprint(program)
    data = cache.fetch(key)
    from_cache = data is not None
    if data is None:
        data = _generate(program, layout)
        cache.keep(key, data)
    code = load(data)
    table = _table(program, layout, code)
    return NativeModel(layout, time.perf_counter() - started, from_cache, table, code)


def _generate(program: Program, layout: Layout) -> bytes:
    from asset.codegen.llvm import object_code
    from asset.codegen.module import module_text

    return object_code(module_text(program, layout))


def _table(program: Program, layout: Layout, code: Code) -> ModelTable:
    counts = [len(program.properties_of(kind)) for kind in KINDS]
    labels: list[Any] = [
        code.address(label_name(kind)) if count else None for kind, count in zip(KINDS, counts, strict=True)
    ]
    return ModelTable(
        ABI_VERSION,
        layout.words,
        layout.bits,
        program.nr_commands,
        (ctypes.c_uint32 * len(KINDS))(*counts),
        code.address("initial"),
        code.address("successors"),
        code.address("fire"),
        (ctypes.c_void_p * len(KINDS))(*labels),
    )
