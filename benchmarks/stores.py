"""Bytes a state and speed of each store, of SPIN's as well, and of a Δ store: `--help` says how.

The Δ store (Evangelista and Pradat-Peyre, Memory Efficient State Space Storage in Explicit Software Model Checking,
2005) is no part of the engine. `delta.cpp` has what is needed to measure it, on the same machine code of the models.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import log10
from pathlib import Path

from measure import ToolFailed, machine, markdown_table, run, tell
from tools import Spin, _absent, check
from workloads import MODELS, PEERS

PREFACE = """\
# Stores

Written by `python benchmarks/stores.py`. Bytes a state are the peak of what a tool says it took, for all that it
keeps; states a second are those of the search. One thread, no reductions, one run of each.

{machine}
"""

HEADER = ("store", "states", "bytes a state", "k states/s", "omitted")
DELTA_HEADER = ("model", "states", "bits", "store", "bytes a state", "k states/s", "fired to compare, a state")
STEPS = (2, 5, 10)
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Space:
    """A model of a known size, for us and, if there is a peer, for SPIN."""

    name: str
    model: str
    parameters: tuple[tuple[str, int], ...]
    states: int
    peer: str = ""

    @property
    def title(self) -> str:
        return f"{self.name}, {', '.join(f'{key} = {value}' for key, value in self.parameters)}"

    @property
    def file(self) -> str:
        return str(MODELS / self.model)

    @property
    def words(self) -> list[str]:
        return [self.file, *(word for key, value in self.parameters for word in ("-p", f"{key}={value}"))]


RING = Space("token ring", "token_ring.py", (("n", 8),), 2_927_232, "token_ring")
DATABASE = Space("database manager", "database_manager.py", (("n", 12),), 2_125_765, "database_manager")
CHAIRS = Space("philosophers with chairs", "philosophers_chairs.py", (("n", 13),), 14_741_195)
PETERSON = Space("Peterson", "peterson.py:PetersonUnrevealing", (("n", 4),), 12_346_971)
LOGS = Space("log replication", "log_replication.py:LogReplication", (("servers", 4), ("length", 5)), 0)
PACKETS = Space("packet pipeline", "packet_pipeline.py:PacketPipeline", (("stages", 8), ("packets", 9)), 0)

COMPARED = (RING, DATABASE, LOGS, PACKETS)
DELTA = (DATABASE, CHAIRS, PETERSON, LOGS, PACKETS)

PLAIN = ("--only", "safety,deadlock", "--symmetry", "off", "--stubborn", "off")


@dataclass(frozen=True, slots=True)
class Kept:
    """One search with one store."""

    store: str
    states: int
    seconds: float
    bytes_a_state: float


# --- searches -------------------------------------------------------------------------------------------------------


def sized(space: Space) -> Space:
    """The space with its number of states."""
    return space if space.states else replace(space, states=kept(space, "", ()).states)


def kept(space: Space, store: str, options: Sequence[str]) -> Kept:
    _, report = check([*space.words, *options, *PLAIN])
    states = report["states"]
    return Kept(store, states, report["seconds"]["explore"], report["memory"]["peak"] / (space.states or states))


def ours(space: Space) -> Iterator[Kept]:
    expected = ("--expect", str(space.states))
    for store, options in (
        ("ASSET, exact", ("--store", "exact")),
        ("ASSET, tree", ("--store", "tree")),
        ("ASSET, compact", ("--store", "compact", *expected)),
        ("ASSET, bitstate", ("--store", "bitstate", *expected)),
        ("ASSET, bitstate, 3 bits", ("--store", "bitstate", "--max-memory", str(max(1 << 26, 8 * space.states)))),
    ):
        yield kept(space, store, options)


def spins(space: Space) -> Iterator[Kept]:
    depth = f"-m{space.states // 4 + 10_000}"
    slots = f"-w{space.states.bit_length() + 1}"
    for store, flags, options in (
        ("SPIN, exact", ("-DSAFETY",), (slots, depth)),
        ("SPIN, collapse", ("-DSAFETY", "-DCOLLAPSE"), (slots, depth)),
        ("SPIN, hash compaction", ("-DSAFETY", "-DHC4"), (slots, depth)),
        ("SPIN, bitstate, 3 bits", ("-DSAFETY", "-DBITSTATE"), (f"-w{(24 * space.states).bit_length()}", "-k3", depth)),
    ):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            run(["spin", f"-DN={dict(space.parameters)['n']}", "-a", str(PEERS / f"{space.peer}.pml")], folder)
            run(["gcc", "-O3", "-w", "-DNOREDUCE", "-DMEMLIM=4000", *flags, "-o", "pan", "pan.c"], folder)
            found = Spin.read(run(["./pan", *options], folder))
        memory = (found.bytes_per_state or 0) * found.counts.states
        yield Kept(store, found.counts.states, found.seconds, memory / space.states)


def rows(space: Space, kept: Sequence[Kept]) -> list[list[str]]:
    return [
        [
            each.store,
            f"{each.states:,}",
            f"{each.bytes_a_state:.1f}",
            f"{each.states / each.seconds / 1000:,.0f}" if each.seconds else "-",
            f"{max(0, space.states - each.states):,}",
        ]
        for each in kept
    ]


# --- the Δ store ----------------------------------------------------------------------------------------------------


class _Told(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("states", "edges", "bytes", "fired")]


def delta_library(folder: Path) -> ctypes.CDLL:
    library = folder / "delta.so"
    words = ["g++", "-std=c++20", "-O3", "-shared", "-fPIC", f"-I{HERE.parent / 'native'}", str(HERE / "delta.cpp")]
    subprocess.run([*words, "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def delta_rows(space: Space, library: ctypes.CDLL) -> Iterator[list[str]]:
    """What tables, trees and Δ stores of some steps take."""
    from asset.codegen.compiled import compile_named
    from asset.languages import ModelSpec, load

    parameters = {key: str(value) for key, value in space.parameters}
    model = compile_named(load(ModelSpec(space.file, parameters)).executable().program)
    words = [word for state in model.program.initial_states for word in model.pack(state)]
    common = [space.title, f"{space.states:,}", str(model.layout.bits)]
    for store in ("exact", "tree"):
        found = kept(space, store, ("--store", store))
        yield [*common, store, f"{found.bytes_a_state:.1f}", f"{found.states / found.seconds / 1000:,.0f}", "-"]
    for k in STEPS:
        told, started = _Told(), time.process_time()
        starts = (ctypes.c_uint64 * len(words))(*words)
        count = ctypes.c_uint64(len(model.program.initial_states))
        expected = ctypes.c_uint64(space.states)
        library.delta_search(ctypes.c_void_p(model.address), starts, count, expected, k, ctypes.byref(told))
        seconds = time.process_time() - started
        if told.states != space.states:
            raise ToolFailed(f"Δ store, {space.title}: {told.states:,} states, not {space.states:,}")
        fired = f"{told.fired / told.states:.1f}"
        yield [*common, f"Δ, k = {k}", f"{told.bytes / told.states:.1f}", f"{told.states / seconds / 1000:,.0f}", fired]


# --- the report -----------------------------------------------------------------------------------------------------

_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#222}.grid{stroke:#ddd}.paper{fill:#fff}"
    ".ours{fill:#0060a8}.spin{fill:#b04000}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.paper{fill:#1b1b1b}"
    ".ours{fill:#6cb4f0}.spin{fill:#f0a060}}"
)
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 720, 420, 70, 50, 40, 170


def picture(space: Space, kept: Sequence[Kept]) -> str:
    """Bytes a state (across) against states a second (up), both by powers of ten."""
    across = [log10(max(0.01, each.bytes_a_state)) for each in kept]
    up = [log10(each.states / max(each.seconds, 1e-3)) for each in kept]
    x = _Axis(across, _LEFT, _WIDTH - _RIGHT)
    y = _Axis(up, _HEIGHT - _BOTTOM, _TOP)
    parts = [f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>']
    parts.append(f'<text x="{_LEFT}" y="20">{escape(space.title)}: {space.states:,} states</text>')
    for power in range(int(min(across)) - 1, int(max(across)) + 2):
        if _LEFT <= x(power) <= _WIDTH - _RIGHT + 1:
            parts.append(
                f'<line class="grid" x1="{x(power):.0f}" x2="{x(power):.0f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>'
            )
            parts.append(f'<text x="{x(power):.0f}" y="{_HEIGHT - 28}" text-anchor="middle">{10.0**power:g}</text>')
    for power in range(int(min(up)), int(max(up)) + 2):
        if _TOP - 1 <= y(power) <= _HEIGHT - _BOTTOM + 1:
            parts.append(
                f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(power):.0f}" y2="{y(power):.0f}"/>'
            )
            parts.append(f'<text x="{_LEFT - 6}" y="{y(power) + 4:.0f}" text-anchor="end">{10.0**power:,.0f}</text>')
    parts.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) // 2}" y="{_HEIGHT - 8}" text-anchor="middle">bytes a state</text>'
    )
    parts.append(f'<text x="8" y="{_TOP - 6}">states/s</text>')
    for each, right, high in zip(kept, across, up, strict=True):
        kind = "ours" if each.store.startswith("ASSET") else "spin"
        parts.append(f'<circle class="{kind}" cx="{x(right):.0f}" cy="{y(high):.0f}" r="5"/>')
        parts.append(f'<text x="{x(right) + 9:.0f}" y="{y(high) + 4:.0f}">{escape(each.store)}</text>')
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<style>{_STYLE}</style>\n{body}\n</svg>\n'


class _Axis:
    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self.least, self.most = min(values) - 0.1, max(values) + 0.1
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        return self.start + (value - self.least) / (self.most - self.least) * (self.end - self.start)


def report(arguments: argparse.Namespace) -> Iterator[str]:
    yield PREFACE.format(machine=machine())
    missing = _absent("spin", "gcc")
    if missing:
        print(f"not measured: SPIN; missing {missing}", file=sys.stderr)
    for space in map(sized, COMPARED):
        found = [*ours(space), *(spins(space) if space.peer and not missing else ())]
        yield f"## {space.title}\n\n{markdown_table(HEADER, rows(space, found))}\n"
        if arguments.pictures is not None:
            arguments.pictures.mkdir(parents=True, exist_ok=True)
            file = arguments.pictures / f"stores_{Path(space.model.partition(':')[0]).stem}.svg"
            file.write_text(picture(space, found), encoding="utf-8")
    if not arguments.without_delta:
        with tempfile.TemporaryDirectory() as folder:
            library = delta_library(Path(folder))
            found_rows = [row for space in map(sized, DELTA) for row in delta_rows(space, library)]
        yield f"## A Δ store beside tables and trees\n\n{markdown_table(DELTA_HEADER, found_rows)}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Bytes a state and speed of each store, of SPIN's as well.")
    parser.add_argument("--pictures", type=Path, help="write a plot for each model to this folder")
    parser.add_argument("--without-delta", action="store_true", help="leave out the Δ store")
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    arguments = parser.parse_args()
    return tell(report(arguments), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
