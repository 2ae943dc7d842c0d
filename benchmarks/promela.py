"""SPIN's own examples, in SPIN and here (`python benchmarks/promela.py EXAMPLES --models leader0,cambridge`).

EXAMPLES is the folder of models that comes with SPIN. Each model is explored in full and with reductions: by SPIN,
compiled with -O3, depth-first and breadth-first, without and with its merging of statements; and here, with derived
stubborn sets. What is asked for is deadlocks and assertions. That the full spaces have as many states is checked.
SPIN's reduction relies on `xr` and `xs`; where it says that they are false, its figure is marked as invalid. Statements
are not merged here, so stubborn sets are compared with what SPIN leaves if it does not merge them either.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from measure import Finished, ToolFailed, interleaved, machine, markdown_table, positive, run, tell
from tools import timed

PREFACE = """\
# Promela

Written by `python benchmarks/promela.py EXAMPLES`; benchmarks/README.md says what is compared. Seconds are of
processor time, with one thread, medians of {repeat} interleaved runs: of SPIN's `pan`, and here of exploring, with
machine code in the cache. In brackets is the processor time of the whole, with making the verifier and compiling it, or
with starting Python and compiling the model (an empty code cache). Memory is what each tool says of its states, in MB.
A * says that SPIN found its own reduction to be invalid.

{machine}
"""

FULL = ("-DNOREDUCE",)
BREADTH = ("-DBFS",)
UNMERGED = ("-o1", "-o2", "-o3")
SPACES = (
    *("Model", "full", "SPIN", "SPIN, breadth-first", "SPIN, merging", "SPIN, merging, breadth-first"),
    *("stubborn sets", "at most SPIN's"),
)


@dataclass(frozen=True, slots=True)
class Explored:
    states: int
    seconds: float
    whole: float
    memory: float
    invalid: bool = False

    @property
    def count(self) -> str:
        return f"{self.states:,}{'*' if self.invalid else ''}"

    @property
    def told(self) -> tuple[str, str, str]:
        return f"{self.states:,}", f"{self.seconds:.2f} ({self.whole:.1f})", f"{self.memory:.1f}"


def spin(model: Path, flags: Sequence[str], options: Sequence[str] = ()) -> Explored:
    with tempfile.TemporaryDirectory() as name:
        return _searched(Path(name), _verifier(model, Path(name), flags, options))


def _verifier(model: Path, folder: Path, flags: Sequence[str], options: Sequence[str]) -> float:
    """Makes SPIN's verifier in the folder; the processor's seconds for that."""
    made = run(["spin", "-a", *options, str(model)], folder)
    compiled = run(["gcc", "-O3", "-w", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=4000", *flags, "-o", "pan", "pan.c"], folder)
    return made.cpu + compiled.cpu


def _searched(folder: Path, before: float) -> Explored:
    return _of_spin(run(["./pan", "-c0", "-n", "-w24", "-m2000000"], folder), before)


def _of_spin(finished: Finished, before: float) -> Explored:
    def figure(pattern: str) -> float:
        found = re.search(pattern, finished.stdout)
        if found is None or "max search depth" in finished.stdout or "out of memory" in finished.stdout:
            raise ToolFailed(f"SPIN did not complete its search:\n{finished.stdout[-400:]}")
        return float(found[1])

    table = 8 * 2**24 / 2**20  # its hash table, as it was given
    memory = figure(r"([\d.]+)\s+total actual memory usage") - table
    invalid = "partial order reduction invalid" in finished.stdout
    states = int(figure(r"([\d.e+]+) states, stored"))
    return Explored(states, finished.cpu, before + finished.cpu, memory, invalid)


def ours(model: Path, stubborn: str) -> Explored:
    with tempfile.TemporaryDirectory() as name:
        return _checked(model, stubborn, Path(name))


def _checked(model: Path, stubborn: str, folder: Path) -> Explored:
    """A check with the machine code that is in the folder, if it was checked there before."""
    found = timed([str(model), "--only", "deadlock", "--stubborn", stubborn], folder)
    states = found.counts.states
    return Explored(states, found.seconds, found.whole, found.bytes_per_state * states / 2**20)


def full_spaces(model: Path, repeat: int) -> tuple[Explored, Explored]:
    """All states, by SPIN and by us: medians of interleaved runs."""
    with tempfile.TemporaryDirectory() as theirs, tempfile.TemporaryDirectory() as own:
        before = _verifier(model, Path(theirs), FULL, UNMERGED)
        first = _checked(model, "off", Path(own))
        time.sleep(2)  # better code is made for the next time (docs/internals.md, two tiers)
        runs = {
            "SPIN": lambda: _searched(Path(theirs), before),
            "ours": lambda: _checked(model, "off", Path(own)),
        }
        found = interleaved(runs, repeat, warmed=False)
    spin, here = (_median(found[each]) for each in runs)
    return spin, replace(here, whole=first.whole)


def _median(runs: Sequence[Explored]) -> Explored:
    return sorted(runs, key=lambda each: each.seconds)[len(runs) // 2]


def report(models: Sequence[Path], repeat: int) -> Iterator[str]:
    yield PREFACE.format(machine=machine(), repeat=repeat)
    spaces, times = [], []
    for model in models:
        try:
            full, plain = full_spaces(model, repeat)
            alike = spin(model, (), UNMERGED), spin(model, BREADTH, UNMERGED)
            merging = spin(model, ()), spin(model, BREADTH)
            stubborn = ours(model, "auto")
        except ToolFailed as failure:
            print(f"{model.stem}: {failure}", file=sys.stderr)
            continue
        if full.states != plain.states:
            raise ToolFailed(f"{model.stem}: SPIN has {full.states} states, and here are {plain.states}")
        print(f"{model.stem}: done", file=sys.stderr)
        counts = [each.count for each in (full, *alike, *merging, stubborn)]
        fewer = all(stubborn.states <= each.states for each in alike if not each.invalid)
        spaces.append((model.stem, *counts, "yes" if fewer else "no"))
        times.append((model.stem, *full.told, *plain.told[1:], f"{full.seconds / max(plain.seconds, 1e-6):.1f}"))
    yield markdown_table(SPACES, spaces)
    yield ""
    yield markdown_table(("Model", "states", "SPIN: s", "MB", "here: s", "MB", "times as fast"), times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("examples", type=Path, help="the folder of SPIN's examples")
    parser.add_argument("--models", required=True, help="names of models in it, with commas between them")
    parser.add_argument("--out", type=Path, help="write the page to this file")
    parser.add_argument("--repeat", type=positive, default=5, help="runs of each search of all states (default: 5)")
    arguments = parser.parse_args()
    found = {file.stem: file for file in sorted(arguments.examples.rglob("*.pml"), reverse=True)}
    missing = [name for name in arguments.models.split(",") if name not in found]
    if missing:
        parser.error(f"there is no {', '.join(missing)}")
    models = [found[name].resolve() for name in arguments.models.split(",")]
    return tell(report(models, arguments.repeat), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
