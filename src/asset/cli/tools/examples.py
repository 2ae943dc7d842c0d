"""`asset examples`: the models that come with the tool, listed and copied."""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import asset
from asset.cli import output
from asset.errors import UsageError
from asset.report.destination import create
from asset.report.document import Line, Piece, Role, folded, line

_DESCRIPTION = """\
Lists the example models, each of which teaches one idea; with names, copies
them to where they can be changed. Nothing is overwritten."""

_EXAMPLES = """\
examples:
  asset examples                      what there is
  asset examples token_ring           copies token_ring.py to this folder
  asset examples --all --to models    copies all of them to the folder models"""


ORDER = (
    *("river_crossing", "hanoi", "token_ring", "philosophers", "peterson_processes", "readers_writers"),
    *("bounded_buffer", "philosophers_chairs", "bakery", "peterson", "client_server", "alternating_bit"),
    *("stop_and_wait", "shared_tool", "two_phase_commit", "dispatcher", "database_manager", "client_pool"),
    *("courteous_philosophers", "token_ring_variants", "lossy_channel", "asset_style"),
)
"""From what to read first to what takes most knowledge; examples that are not named come last."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    parser.add_argument("names", metavar="NAME", nargs="*", help="an example to copy")
    parser.add_argument("--all", action="store_true", help="copy every example")
    parser.add_argument("--to", metavar="FOLDER", help="where to (default: here)")


def run(words: argparse.Namespace) -> int:
    """Lists the examples, or there are copies of those that were named."""
    available = shipped()
    if not words.names and not words.all:
        if words.to is not None:
            raise UsageError.of("--to says where to copy examples, and none is named", remedy="name some, or say --all")
        output.tell(_listed(available))
        return 0
    wanted = sorted(available) if words.all else [name.removesuffix(".py") for name in words.names]
    unknown = [name for name in wanted if name not in available]
    if unknown:
        raise UsageError.of(f"there is no example {unknown[0]}", remedy=f"there are: {', '.join(sorted(available))}")
    for file in _copied(available, wanted, Path(words.to or ".")):
        output.tell([line(f"{file}  (next: asset check {file})" if file.stem in wanted else f"{file}")])
    return 0


def shipped() -> dict[str, Path]:
    """The example models by name: in the installed package, or in a checkout of the project."""
    package = Path(asset.__file__).parent
    for folder in (package / "examples", package.parent.parent / "models"):
        found = {file.stem: file for file in sorted(folder.glob("*.py"))}
        if found:
            return found
    raise UsageError.of("the examples are missing from this installation", remedy="install asset-mc again")


def _copied(available: dict[str, Path], wanted: Sequence[str], folder: Path) -> Iterator[Path]:
    names = _with_imports(available, wanted)
    existing = [folder / f"{name}.py" for name in names if (folder / f"{name}.py").exists()]
    if existing:
        raise UsageError.of(f"{existing[0]} exists already", remedy="--to FOLDER copies to another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            create(folder / f"{name}.py", available[name].read_bytes())
            yield folder / f"{name}.py"
    except OSError as error:
        raise UsageError.of(f"cannot copy to {folder}: {error.strerror or error}") from None


def _with_imports(available: dict[str, Path], wanted: Sequence[str]) -> list[str]:
    """The wanted examples, and those that they are made from."""
    names = list(dict.fromkeys(wanted))
    for name in names:  # grows as more are found
        for node in ast.walk(ast.parse(available[name].read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in available and node.module not in names:
                names.append(node.module)
    return names


def _listed(available: dict[str, Path]) -> Iterator[Line]:
    widest = max(map(len, available))
    width = output.width(sys.stdout)
    for name in sorted(available, key=lambda each: (ORDER.index(each) if each in ORDER else len(ORDER), each)):
        for at, part in enumerate(folded(_idea(available[name]), width - widest - 4)):
            yield line("  ", Piece(f"{name if at == 0 else '':<{widest}}", Role.NAME), "  ", part)
    yield line()
    yield line("asset examples NAME copies one here; asset check NAME.py checks it.")


def _idea(file: Path) -> str:
    """What the head of the file says it is, and what it teaches."""
    whole = file.read_text(encoding="utf-8")
    head = ast.get_docstring(ast.parse(whole)) or whole.partition("\n\n")[0]
    text = " ".join(row.removeprefix("#").strip() for row in head.splitlines() if not row.startswith("# expect"))
    first = text.partition(". ")[0].rstrip(".")
    teaches = re.search(r"Teaches: (.*?)[.:](?: |$)", text)
    return f"{first}. Teaches {teaches[1]}." if teaches else f"{first}."
