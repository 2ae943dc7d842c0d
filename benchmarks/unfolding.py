"""Table look-up against unfolding: the case study as the engine runs it, and as the paper's scheme writes it in SMV.

    python benchmarks/unfolding.py [PATH OF NuSMV]

For each size: the nodes of the program that is compiled, the states, and the processor time of a whole `asset check`;
the size of the SMV text, the time to make it, and if NuSMV is given, the time that it takes to compute the reachable
states and check the properties, at most ten minutes.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from asset.frontends import asm
from asset.ir import nodes as n

ROOT = Path(__file__).parents[1]
MODEL = ROOT / "models" / "asm" / "flash_sl.asm"
SIZES = ((2, 1, 2), (3, 1, 3), (2, 2, 4))
PATIENCE = 600


def timed(*command: str) -> tuple[float, str]:
    """The processor time of a command, and what it wrote; the time is infinite if it took too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return float("inf"), ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout + done.stderr


def row(nodes: int, lines: int, slots: int, nusmv: str | None) -> str:
    given = {"nodes": str(nodes), "lines": str(lines), "slots": str(slots)}
    program = asm.load(str(MODEL), given).program
    size = sum(1 for function in program.functions for _ in n.walk(*function.body))
    words = [str(MODEL), *(word for name, value in given.items() for word in ("-p", f"{name}={value}"))]
    asset = str(Path(sys.executable).with_name("asset"))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ASSET_CACHE_DIR"] = folder  # what was compiled before is of no use
        checked, said = timed(asset, "check", *words, "--quiet")
        text = Path(folder) / "flash.smv"
        translated, _ = timed(asset, "translate", *words, "--to", "smv", "-o", str(text))
        smv = f"{text.stat().st_size:,} bytes" if text.exists() else "too large"
        solved = timed(nusmv, "-r", "-dynamic", str(text))[0] if nusmv and text.exists() else None
    states = said.partition("— ")[2].partition(" states")[0]
    solving = "" if solved is None else f" {solved:.1f} s |"  # inf: not within PATIENCE
    return (
        f"| {nodes}, {lines}, {slots} | {size:,} | {states} | {checked:.1f} s | {smv} | {translated:.1f} s |{solving}"
    )


def main() -> None:
    nusmv = sys.argv[1] if len(sys.argv) > 1 else None
    for size in SIZES:
        print(row(*size, nusmv), flush=True)


if __name__ == "__main__":
    main()
