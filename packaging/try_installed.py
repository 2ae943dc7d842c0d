"""Tries an installed ASSET, as a user would: `python try_installed.py MODELS`. The status is 0 if all is as expected.

It needs nothing but the installed package and a folder of example models, and runs in a folder of its own, so that the
sources of the project are not imported by mistake.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

HOLDS, VIOLATED = 0, 1

TRIALS = [
    ("token_ring.py -p n=4 --quiet", HOLDS, "2,928 states"),
    ("token_ring.py -p n=4 --quiet --stubborn auto --symmetry auto", HOLDS, "180 states"),
    ("token_ring.py -p n=4 --quiet --threads 2", HOLDS, "2,928 states"),
    ("philosophers.py --quiet", VIOLATED, "violated"),
    ("philosophers.py --quiet --engine reference", VIOLATED, "violated"),
]


def tried(words: list[str]) -> tuple[int, str]:
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300)
    return done.returncode, done.stdout + done.stderr


def main(models: Path) -> int:
    wrong = 0
    for trial, expected, said in TRIALS:
        file, *options = trial.split()
        status, text = tried([sys.executable, "-m", "asset", "check", str(models / file), *options])
        as_expected = status == expected and said in text
        wrong += not as_expected
        print(f"{'as expected' if as_expected else 'WRONG'}: asset check {trial}: {status}, {text.strip()}")
    for command in ("asset", "asset-mc"):
        status, text = tried([str(Path(sys.executable).with_name(command)), "--version"])
        wrong += status != 0
        print(f"{command} --version: {text.strip()}")
    return 1 if wrong else 0


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        sys.exit(main(folder))
