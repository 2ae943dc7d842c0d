"""Bytes a state and speed of each store, of SPIN's as well, and what a Δ store would take: `--help` says how.

The Δ store (Evangelista and Pradat-Peyre, Memory Efficient State Space Storage in Explicit Software Model Checking,
2005) is not built: what it would take is computed from what a search knows. A state at a depth that is a multiple of k
is stored as it is, any other as a reference to a predecessor and the command that leads from there. Whatever it is, a
hash table refers to it. To compare a state with one that is stored, up to k - 1 commands are fired.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import log10
from pathlib import Path

from measure import machine, markdown_table, run, tell
from tools import Spin, _absent, check
from workloads import MODELS, PEERS

PREFACE = """\
# Stores

Written by `python benchmarks/stores.py`. Bytes a state are the peak of what a tool says it took, for all that it
keeps; states a second are those of the search. One thread, no reductions, one run of each.

{machine}
"""

HEADER = ("store", "states", "bytes a state", "k states/s", "omitted")
DELTA_HEADER = (
    "model",
    "states",
    "bits",
    "commands",
    "exact, measured",
    "Δ, k = 2",
    "k = 5",
    "k = 10",
    "fired at most",
)

REFERENCE_BITS = 32  # of a state among up to 2**32
FILLED = 0.85  # of a hash table that refers to states
STEPS = (2, 5, 10)


@dataclass(frozen=True, slots=True)
class Space:
    """A model of a known size, for us and for SPIN."""

    name: str
    model: str
    size: int
    states: int
    peer: str = ""

    @property
    def words(self) -> list[str]:
        return [str(MODELS / self.model), "-p", f"n={self.size}"]


RING = Space("token ring", "token_ring.py", 8, 2_927_232, "token_ring")
DATABASE = Space("database manager", "database_manager.py", 12, 2_125_765, "database_manager")
CHAIRS = Space("philosophers with chairs", "philosophers_chairs.py", 13, 14_741_195)
PETERSON = Space("Peterson", "peterson.py:Peterson", 4, 26_209_918)

COMPARED = (RING, DATABASE)
DELTA = (DATABASE, CHAIRS, PETERSON, RING)


@dataclass(frozen=True, slots=True)
class Kept:
    """One search with one store."""

    store: str
    states: int
    seconds: float
    bytes_a_state: float


# --- searches -------------------------------------------------------------------------------------------------------


def ours(space: Space) -> Iterator[Kept]:
    expected = ("--expect", str(space.states))
    for store, options in (
        ("ASSET, exact", ("--only", "safety,deadlock")),
        ("ASSET, compact", ("--store", "compact", *expected)),
        ("ASSET, bitstate", ("--store", "bitstate", *expected)),
        ("ASSET, bitstate, 3 bits", ("--store", "bitstate", "--max-memory", str(max(1 << 26, 8 * space.states)))),
    ):
        _, report = check([*space.words, *options, "--symmetry", "off", "--stubborn", "off"])
        yield Kept(store, report["states"], report["seconds"]["explore"], report["memory"]["peak"] / space.states)


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
            run(["spin", f"-DN={space.size}", "-a", str(PEERS / f"{space.peer}.pml")], folder)
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


def delta_bytes(levels: Sequence[int], bits: int, commands: int, k: int) -> float:
    """Bytes a state, if the states at each depth are so many."""
    states = sum(levels)
    explicit = sum(count for depth, count in enumerate(levels) if depth % k == 0) / states
    by_reference = REFERENCE_BITS + max(1, (commands - 1).bit_length())
    stored = explicit * bits + (1 - explicit) * by_reference + 1  # the bit says which of the two it is
    return (stored + REFERENCE_BITS / FILLED) / 8


def delta_row(space: Space) -> list[str]:
    from asset.codegen.compiled import compile
    from asset.languages import ModelSpec, load

    program = load(ModelSpec(space.words[0], {"n": str(space.size)})).executable().program
    bits = compile(program).layout.bits
    _, report = check([*space.words, "--only", "safety,deadlock", "--symmetry", "off", "--stubborn", "off"])
    figures = [f"{delta_bytes(report['levels'], bits, program.nr_commands, k):.1f}" for k in STEPS]
    exact = f"{report['memory']['bytes_per_state']:.1f}"
    name = f"{space.name} {space.size}"
    counts = [f"{report['states']:,}", str(bits), str(program.nr_commands)]
    return [name, *counts, exact, *figures, f"{max(STEPS) - 1} for each look-up"]


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
    parts.append(f'<text x="{_LEFT}" y="20">{escape(space.name)}, n = {space.size}: {space.states:,} states</text>')
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
    for space in COMPARED:
        kept = [*ours(space), *(() if missing else spins(space))]
        yield f"## {space.name}, n = {space.size}\n\n{markdown_table(HEADER, rows(space, kept))}\n"
        if arguments.pictures is not None:
            file = arguments.pictures / f"stores_{space.peer}.svg"
            file.write_text(picture(space, kept), encoding="utf-8")
    if not arguments.without_delta:
        table = markdown_table(DELTA_HEADER, [delta_row(each) for each in DELTA])
        yield f"## What a Δ store would take, in bytes a state\n\n{table}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Bytes a state and speed of each store, of SPIN's as well.")
    parser.add_argument("--pictures", type=Path, help="write a plot for each model to this folder")
    parser.add_argument("--without-delta", action="store_true", help="leave out what a Δ store would take")
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    arguments = parser.parse_args()
    return tell(report(arguments), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
