"""SPIN itself, if it is installed: how many states and transitions it finds in a model, without any reduction and
with its never claim, if it has one.

ASSET_PAN_CC=tcc compiles its verifiers with another compiler than gcc; tcc takes a tenth of the time.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

COMPILER = os.environ.get("ASSET_PAN_CC", "gcc")
AVAILABLE = shutil.which("spin") is not None and shutil.which(COMPILER) is not None

GENERATE = ("spin", "-a", "-o1", "-o2", "-o3")
COMPILE = (COMPILER, "-O0", "-w", "-DNOREDUCE", "-DSAFETY", "-DVECTORSZ=4096", "-o", "pan", "pan.c")
RUN = ("./pan", "-m100000", "-w18", "-c0")


@dataclass(frozen=True, slots=True)
class Counted:
    """`edges` are transitions without the one that SPIN counts for the initial state; `errors` are failed assertions
    and invalid end states."""

    states: int
    edges: int
    errors: int


class SpinRejects(Exception):
    """The model is not one for SPIN."""


class SpinStops(Exception):
    """SPIN ended its search with an error of its own: a channel in a field that it has deleted."""


def count(model: Path, macros: tuple[str, ...] = ()) -> Counted:
    with tempfile.TemporaryDirectory() as folder:
        for file in model.parent.iterdir():
            if file.suffix in (".pml", ".h"):
                shutil.copy(file, folder)
        made = _run([*GENERATE, *macros, model.name], folder)
        if not (Path(folder) / "pan.c").exists():
            raise SpinRejects(made)
        claimed = re.search(r"\bnever\b", model.read_text()) is not None
        _run([*COMPILE, *([] if claimed else ["-DNOCLAIM"])], folder)
        said = _run(list(RUN), folder)
    if "was deleted" in said and "Search not completed" in said:
        raise SpinStops(said)
    found = {
        what: re.search(rf"(\d+) {re.escape(words)}", said)
        for what, words in {"states": "states, stored", "transitions": "transitions (= stored+matched)"}.items()
    }
    errors = re.search(r"errors: (\d+)", said)
    if found["states"] is None or found["transitions"] is None or errors is None:
        raise SpinRejects(said)
    return Counted(int(found["states"][1]), int(found["transitions"][1]) - 1, int(errors[1]))


def _run(words: list[str], folder: str) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=25, check=False)
    return done.stdout + done.stderr
