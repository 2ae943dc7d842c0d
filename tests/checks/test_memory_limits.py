"""Limits on memory are obeyed within five per cent of what the system says that the process had resident at most."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from places import MODELS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems count other pages")

LIMIT = 64 << 20

_PLAIN = ["--stubborn", "off", "--symmetry", "off"]
RING = [str(MODELS / "token_ring.py"), "-p", "n=9"]
LOGS = [str(MODELS / "log_replication.py:LogReplication"), "-p", "servers=4", "-p", "length=6", *_PLAIN]
SEARCHES = {
    "a table without loss": [*RING, *_PLAIN],
    "two threads": [*RING, *_PLAIN, "--threads", "2"],
    "an indexed table": [*LOGS, "--store", "exact"],
    "with edges": [str(MODELS / "peterson.py:Peterson"), "-p", "n=4", *_PLAIN, "--only", "may"],
    "trees": [*LOGS, "--store", "tree"],
    "trees and two threads": [*LOGS, "--store", "tree", "--threads", "2"],
    "bitstate hashing": [*RING, *_PLAIN, "--store", "bitstate", "--max-states", "1000000"],
    "hash compaction": [*RING, *_PLAIN, "--store", "compact", "--max-states", "1000000"],
}


@pytest.mark.parametrize("words", SEARCHES.values(), ids=SEARCHES)
def test_a_limit_is_obeyed(words: list[str]) -> None:
    assert 0.5 * LIMIT < taken(words, LIMIT) < 1.05 * LIMIT


@pytest.mark.parametrize(
    ("asked", "mebibytes"),
    [(["n=8", "--max-states", "2500000"], 16), (["n=7", "--termination"], 14)],
    ids=["states", "edges"],
)
def test_a_limit_is_obeyed_with_files(asked: list[str], mebibytes: int, tmp_path: Path) -> None:
    limit = mebibytes << 20
    ring = [str(MODELS / "token_ring.py"), "-p", *asked, *_PLAIN]
    assert 0.25 * limit < taken([*ring, "--spill", str(tmp_path)], limit) < 1.05 * limit


def taken(words: list[str], limit: int) -> int:
    """What a search takes: more than one that ends at once, if both find their machine code made."""
    begun = ["exact" if each in ("bitstate", "compact") else each for each in words]  # those have their size at once
    resident(*begun, "--max-states", "1")
    return resident(*words, "--max-memory", str(limit)) - resident(*begun, "--max-states", "1")


# What `wait4` tells has in it what the process had that started this one.
CHECK = """
import sys
from asset.cli.main import main
status = main(sys.argv[1:])
print(*(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:")), file=sys.stderr)
sys.exit(status)
"""


def resident(*words: str) -> int:
    """The most bytes that a check has in memory."""
    check = [sys.executable, "-c", CHECK, "check", *words, "--quiet"]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    return int(done.stderr.split()[-1]) * 1024
