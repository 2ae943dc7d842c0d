"""Runs a command as ranks of MPI, on this machine, however few processors it has and whoever we are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}


def mpirun(ranks: int, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    starter = Path(sys.executable).parent / "mpirun"
    words = [str(starter), "--oversubscribe", "-n", str(ranks), *command]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, env={**os.environ, **SETTINGS})
