"""The C++ compiler on the user's machine: finding it, running it, and what it says of the user's file."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from asset.errors import Diagnostic, EngineUnavailable, ModelRejected
from asset.span import Span

USUAL = ("c++", "g++", "clang++")
FOLDER = Path(__file__).resolve().parent

_COMMON = ("-std=gnu++17", "-w", "-fmax-errors=20", "-fdiagnostics-color=never", "-fno-diagnostics-show-caret")
DESCRIBING = (*_COMMON, "-O0")
"""For a program that is run once."""
PACKED = (
    *_COMMON,
    "-O3",
    "-march=native",
    "-shared",
    "-fPIC",
    "-fvisibility=hidden",
    "-fwhole-program",  # a variable that is never written becomes a constant
    "-ftls-model=initial-exec",  # the current state is a variable of the thread; its place is known when it is loaded
)
"""For a library that is called a billion times."""

LITTLE_MEMORY = ("/bin/sh", "-c", 'ulimit -S -d 1048576 2>/dev/null; exec "$0" "$@"')
"""Before a command that may take 1 GiB of memory. The shell sets the limit: Python would have to fork itself."""

_MESSAGE = re.compile(r"(?P<file>.*?):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)")
_FROM_HERE = re.compile(r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+):\s+required from")


@dataclass(frozen=True, slots=True)
class Compiler:
    """`command` is how it is called; `identity` differs for another compiler or another version of it."""

    command: tuple[str, ...]
    identity: str

    def compile(self, source: Path, output: Path, flags: Sequence[str], file: str) -> None:
        """Makes `output` of `source`, which is made from the user's `file`; errors have their places in that file."""
        command = [*self.command, *flags, *_include_flags(), str(source), "-o", str(output)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=_plain_environment())
        if done.returncode:
            raise ModelRejected(*_diagnostics(done.stderr, file))
        if not output.is_file():
            raise EngineUnavailable.of(
                f"{shlex.join(self.command)} says that it has compiled {file}, and has not",
                remedy="set CXX to a C++ compiler",
            )


def find_compiler() -> Compiler:
    """$CXX, or one of the usual names."""
    chosen = os.environ.get("CXX", "").strip()
    for words in [shlex.split(chosen)] if chosen else [[name] for name in USUAL]:
        path = shutil.which(words[0])
        if path is not None:
            return Compiler((path, *words[1:]), _identity(path, words[1:]))
    tried = f"CXX={chosen}" if chosen else ", ".join(USUAL)
    raise EngineUnavailable.of(
        f"no C++ compiler was found ({tried}), and .model files are compiled by one",
        remedy="install one (Debian: apt-get install g++; macOS: xcode-select --install), or set CXX to where it is",
    )


def _identity(path: str, options: list[str]) -> str:
    """An update changes the file; asking it for its version would take longer than all the rest if code is cached."""
    real = os.path.realpath(path)
    status = os.stat(real)
    return f"{real} {status.st_size} {status.st_mtime_ns} {options}"


def _include_flags() -> list[str]:
    """abi.h lies beside our headers if the tool is installed, and in native/ in a checkout."""
    folders = [FOLDER] if (FOLDER / "abi.h").is_file() else [FOLDER, FOLDER.parents[3] / "native"]
    return [flag for folder in folders for flag in ("-I", str(folder))]


def header_files() -> list[Path]:
    """All that a model is compiled with, in a fixed order."""
    folders = [Path(flag) for flag in _include_flags() if flag != "-I"]
    return [FOLDER / name for name in ("asset.h", "describe.h", "packed.h", "end.h")] + [folders[-1] / "abi.h"]


def _plain_environment() -> dict[str, str]:
    """We read the messages, so they must be in English."""
    return {**os.environ, "LC_ALL": "C"}


def _diagnostics(said: str, file: str) -> Iterator[Diagnostic]:
    """The errors in the user's file; if there is none, the place in the user's file that led to an error in ours."""
    lines = said.splitlines()
    errors = [match for line in lines if (match := _MESSAGE.match(line))]
    own = [match for match in errors if match["file"] == file]
    for match in own:
        yield Diagnostic(_plain_words(match["text"]), _span(match))
    if own:
        return
    causes = [match for line in lines if (match := _FROM_HERE.match(line)) and match["file"] == file]
    text = errors[0]["text"] if errors else "\n    ".join(["the compiler failed:", *lines[:20]])
    yield Diagnostic(_plain_words(text), _span(causes[0]) if causes else Span(file, 1) if errors else None)


def _span(match: re.Match[str]) -> Span:
    line, column = int(match["line"]), int(match["column"] or 1)
    return Span(match["file"], line, column, line, column + 1)


def _plain_words(text: str) -> str:
    """Our types by the names that a modeller knows them by."""
    text = re.sub(r"(?:const )?asset::(?:cell_of_any|cell<\d+>|variable<\d+>)", "state_var", text)
    return re.sub(r"(?:const )?asset::variable<\d+, [^>]*>", "state_var[]", text)
