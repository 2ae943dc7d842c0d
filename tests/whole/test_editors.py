"""The extension for VS Code: its parts that need no editor, tested by node, which is all that they need."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys

import pytest
from places import ROOT

EXTENSION = ROOT / "editors" / "vscode"
NODE = shutil.which("node")


def test_the_compiled_extension_is_that_of_its_sources() -> None:
    """`npm run build` in editors/vscode compiles it anew."""
    sources = b"".join(file.read_bytes() for file in sorted((EXTENSION / "src").iterdir(), key=lambda file: file.name))
    assert (EXTENSION / "out" / "SOURCES").read_text(encoding="ascii").strip() == hashlib.sha256(sources).hexdigest()


@pytest.mark.skipif(NODE is None, reason="the extension is tested by node: apt-get install nodejs")
def test_the_extension_passes_its_own_tests() -> None:
    environment = {**os.environ, "ASSET": f"{sys.executable} -m asset"}
    words = [str(NODE), "--test", "test/extension.test.mjs"]
    done = subprocess.run(words, cwd=EXTENSION, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
