"""The engine's own tests, which are in C++: built and run here, so that one command runs all tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT


def test_the_engine_passes_its_own_tests(request: pytest.FixtureRequest) -> None:
    if any(item.get_closest_marker("sanitized") for item in request.session.items):
        pytest.skip("they run under the sanitizers")
    build_and_run("tests")


@pytest.mark.sanitized
def test_the_engine_passes_its_own_tests_under_the_sanitizers() -> None:
    build_and_run("sanitized", "-DASSET_SANITIZE=address,undefined")


@pytest.mark.skipif("ASSET_RACES" not in os.environ, reason="takes a minute: ASSET_RACES=1 runs it")
def test_threads_of_the_engine_have_no_data_races() -> None:
    build_and_run("threads", "-DASSET_SANITIZE=thread")


def build_and_run(folder: str, *settings: str) -> None:
    """In a folder of its own in build/, so that the next time only what has changed is compiled."""
    generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
    build = ROOT / "build" / f"{folder}-{generator.split()[-1].lower()}"
    run("cmake", "-S", ROOT, "-B", build, "-G", generator, "-DASSET_TESTS=ON", *settings)
    run("cmake", "--build", build, "--parallel", "2")
    run("ctest", "--test-dir", build, "--output-on-failure", "--parallel", "2")


def run(tool: str, *arguments: str | Path) -> None:
    """The tool that is installed beside Python, as the extra `test` does, or else any."""
    beside = Path(sys.executable).with_name(tool)
    command = [beside if beside.exists() else tool, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
