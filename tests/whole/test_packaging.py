"""What is installed, and how: metadata, the package's page, workflows, the action, the hook and the container."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from test_docs import FILE, blocks, commands

import asset
from asset.cli import each_file
from asset.cli.main import main

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOME = PROJECT["urls"]["Homepage"]


def linted(tool: str, *words: str | Path) -> None:
    """The tool, which is beside Python, finds nothing wrong."""
    program = Path(sys.executable).with_name(tool)
    if not program.exists():
        pytest.skip(f"{tool} is not installed: pip install '.[test]'")
    done = subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_version_is_the_same_everywhere() -> None:
    editor = (ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8")
    assert PROJECT["version"] == asset.__version__
    assert f'"version": "{asset.__version__}"' in editor


def test_both_commands_are_the_tool() -> None:
    assert PROJECT["scripts"] == {"asset": "asset.__main__:command", "asset-mc": "asset.__main__:command"}
    module, _, function = PROJECT["scripts"]["asset-mc"].partition(":")
    assert callable(getattr(import_module(module), function))


def test_the_pythons_that_are_named_are_those_that_wheels_are_built_for() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
    named = re.findall(r":: 3\.(\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)
    assert settings["build"] == [f"cp3{minor}-*" for minor in named]
    assert PROJECT["requires-python"] == f">=3.{min(map(int, named))}"


def test_links_in_the_page_of_the_package_lead_to_files_from_anywhere() -> None:
    page = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert links
    for link in links:
        assert link.startswith(f"{HOME}/blob/main/"), link
        assert (ROOT / link.removeprefix(f"{HOME}/blob/main/")).is_file(), link


def test_the_page_of_the_package_shows_what_the_tool_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    (model,) = blocks(page, "python")
    named = FILE.match(model)
    assert named is not None
    (tmp_path / named[1]).write_text(model, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ((command, shown),) = commands(blocks(page, "console")[0])
    main(command.split()[1:])
    assert capsys.readouterr().out == shown


def test_workflows_and_the_action_are_well_formed() -> None:
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    assert len(workflows) >= 2
    linted("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    linted("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")


def test_the_workflow_runs_what_decides_whether_a_change_lands() -> None:
    assert ".ci/run" in (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("platform", ["linux", "macos", "windows"])
def test_wheels_are_configured_for_every_python_and_system(platform: str) -> None:
    linted("cibuildwheel", "--print-build-identifiers", "--platform", platform)


def test_the_container_is_well_formed() -> None:
    linted("hadolint", "Dockerfile")


def test_the_hook_runs_a_module_that_exists() -> None:
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (module,) = re.findall(r"entry: python -m (\S+)", hook)
    assert module == each_file.__name__


def test_the_hook_checks_each_file_with_its_options_and_has_the_worst_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ring, philosophers = str(ROOT / "models" / "token_ring.py"), str(ROOT / "models" / "hanoi.py")
    assert each_file.run([]) == 0
    worst = each_file.run(["--max-states", "10", ring, philosophers])
    told = capsys.readouterr().out.splitlines()
    assert worst == 3
    assert [line.partition("(")[0] for line in told] == ["TokenRing", "Hanoi"]
    assert all("undecided" in line for line in told)
