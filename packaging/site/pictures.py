"""The pictures of the README and the gallery, drawn by the commands that are written above them."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from asset.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ asset (.*)$", re.MULTILINE)
DRAWING = re.compile(r"\.svg|^new |^examples ")
"""Commands that draw, or that write what is drawn."""


def draw(place: Path) -> None:
    """The folder has the pictures, and the models of the gallery."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    model = next(body for kind, body in BLOCK.findall(readme) if kind == "python")
    (place / "room.py").write_text(model, encoding="utf-8")
    _run(readme, place)
    (place / "room.py").unlink()  # the gallery's room is another one
    _run((ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"), place)


def _run(text: str, place: Path) -> None:
    sessions = "\n".join(body for kind, body in BLOCK.findall(text) if kind == "console")
    told = io.StringIO()  # one command of the gallery shows what is refused
    with chdir(place), redirect_stdout(told), redirect_stderr(told):
        for command in COMMAND.findall(sessions):
            if DRAWING.search(command):
                main(shlex.split(command))
