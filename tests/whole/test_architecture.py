"""The invariants of ARCHITECTURE.md, checked on the import graph. Imports inside functions count too."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from places import MODELS, ROOT

from asset.ir.requirements import Requirement

SOURCE = ROOT / "src" / "asset"

ALLOWED = {
    "deferred": set(),
    "span": set(),
    "errors": {"span"},
    "logic": {"errors", "span"},
    "ir": {"errors", "span", "logic"},
    "model": {"errors", "span", "logic", "ir"},
    "interruption": set(),
    "processor": set(),
    "orphans": set(),
    "version": set(),
    "frontends": {"errors", "span", "logic", "ir", "model", "processor"},
    "analysis": {"errors", "span", "ir", "orphans"},
    "codegen": {"errors", "span", "ir", "analysis", "processor", "orphans", "interruption"},
    "engine": {"errors", "interruption", "span", "logic", "ir", "processor", "orphans"},
    "cluster": {"errors", "codegen", "engine", "processor", "version"},
    "verdict": {"span", "report"},
    "report": {"errors", "span", "verdict"},
    "sweep": {"errors", "interruption", "report"},
    "translation": {"errors", "logic", "ir", "analysis"},
    "space": {"errors", "ir", "codegen", "engine", "checks"},
    "checks": {
        "errors",
        "interruption",
        "span",
        "logic",
        "ir",
        "model",
        "analysis",
        "codegen",
        "engine",
        "cluster",
        "verdict",
        "processor",
        "version",
    },
    "languages": {"errors", "ir", "model", "frontends", "codegen", "engine", "checks", "verdict"},
}
"""Each layer of the package and the layers that it may import."""


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        relative = path.relative_to(SOURCE).with_suffix("")
        yield ".".join(relative.parts), path


def imported(path: Path) -> Iterator[str]:
    """The names of the modules of this package that the file imports, without the leading `asset.`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [node.module or ""]
            if node.module is not None:
                names += [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.removeprefix("asset.") for name in names if name.startswith("asset."))


@pytest.mark.parametrize("layer", sorted(ALLOWED))
def test_a_layer_imports_only_the_layers_below_it(layer: str) -> None:
    for module, path in modules():
        if module.split(".")[0] == layer:
            foreign = {name.split(".")[0] for name in imported(path)} - {layer, "deferred"}  # which all may import
            assert foreign <= ALLOWED[layer], f"{module} imports {foreign - ALLOWED[layer]}"


def test_front_ends_do_not_import_each_other() -> None:
    for module, path in modules():
        layer, *rest = module.split(".")
        if layer == "frontends" and len(rest) > 1:
            others = {name for name in imported(path) if name.startswith("frontends.")}
            assert all(name.split(".")[1] == rest[0] for name in others), f"{module} imports {others}"


def test_only_languages_imports_front_ends() -> None:
    """Whatever else there is, it takes a subject: another language changes nothing there."""
    for module, path in modules():
        if module.split(".")[0] not in ("frontends", "languages"):
            assert not any(name.startswith("frontends") for name in imported(path)), module


def test_to_know_the_languages_loads_no_front_end() -> None:
    said = "import sys; import asset.languages; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    heavy = ("asset.frontends", "asset.checks", "asset.engine", "asset.codegen")
    assert [name for name in done.stdout.split() if name.startswith(heavy)] == []


def test_only_the_native_engine_imports_the_extension() -> None:
    importers = {module for module, path in modules() if any("_native" in name for name in imported(path))}
    assert importers == {"engine.native"}


def test_only_code_generation_imports_llvm() -> None:
    for module, path in modules():
        if not module.startswith("codegen."):
            assert "llvmlite" not in path.read_text(), module


def test_the_parts_of_the_python_compiler_do_not_inherit() -> None:
    """They are given what they need; only the shapes have a class in common."""
    bases = {
        ast.unparse(base)
        for module, path in modules()
        if module.startswith("frontends.python.") and not module.startswith("frontends.python.shapes.")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
        for base in node.bases
    }
    assert bases <= {
        "Protocol",
        "Enum",
        "Flag",
        "BaseException",
        "Exception",
        "ast.NodeTransformer",
        "tuple[object, ...]",
    }


def test_no_file_is_longer_than_600_lines() -> None:
    root = SOURCE.parent.parent
    files = [*root.glob("src/**/*.py"), *root.glob("native/*"), *root.glob("tests/**/*.py"), *root.glob("models/*.py")]
    long = {str(p.relative_to(root)): n for p in files if (n := len(p.read_text().splitlines())) > 600}
    assert not long


def test_no_function_is_longer_than_60_lines() -> None:
    long = {
        f"{module}.{node.name}": length
        for module, path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > 60
    }
    assert not long


def test_a_check_loads_only_what_it_needs() -> None:
    """Starting takes longer than checking a small model."""
    said = "import sys; from asset.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    ring = str(MODELS / "token_ring.py")
    words = [sys.executable, "-c", said, "check", ring, "-p", "n=2", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    needless = ("asset.model.steps.b", "asset.engine.isolated", "asset.ir.derived", "igraph")
    needless += ("asset.analysis.stubborn", "asset.analysis.symmetry", "asset.codegen.following")
    needless += ("asset.checks.trace", "asset.space", "asset.sweep", "asset.cli.explorer", "asset.frontends.cpp")
    assert [name for name in done.stderr.split() if name.startswith(needless)] == []


def test_a_new_kind_of_requirement_touches_at_most_eight_files() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipe = text.partition("**Add a check.**")[2].partition("\n\n")[0]
    files = re.findall(r"`([\w/]+\.(?:py|cpp|h))`", recipe)
    assert 0 < len(set(files)) <= 8
    for file in files:
        places = (SOURCE / file, ROOT / file, SOURCE.parent / file)
        assert any(place.is_file() for place in places), f"the recipe names {file}, which does not exist"


def test_only_the_files_of_the_recipe_tell_kinds_of_requirements_apart() -> None:
    """Whoever else asks for the class of a requirement must have a reason: it is listed here."""
    kinds = {kind.__name__ for kind in get_args(Requirement)}
    of_the_recipe = {"ir.requirements", "model.declared_requirements", "engine.graph"}
    of_the_recipe |= {"checks.soundness", "checks.requirements"}
    with_a_reason = {
        "model.transitions",  # the decorators of properties
        "ir.printer",  # what is printed of each
        "frontends.cpp.loading",  # what the functions of a .model file mean
        "frontends.promela.asking",  # what labels and ltl blocks mean
        "frontends.asm.properties",  # invariants and formulas of machines
        "analysis.stubborn.derivation",  # Theorem 4 is about invariants
        "analysis.stubborn.explanation",
        "checks.plan",  # options about terminal states; termination is asked for by an option
        "translation.python_model",  # the decorator of each
        "checks.answering",  # a symmetry must not rename commands of a recurrence
        "checks.audit",  # Theorem 4 again
        "checks.trace",  # which steps an invariant depends on
        "model.declared_formulas",  # the formulas of a model: temporal logic has modules of its own
        "engine.temporal",
        "engine.flat_automata",
        "engine.reference",
        "engine.native",
        "checks.temporal_story",
        "checks.replay",  # a run must show that a recurrence is violated
        "checks.choosing",  # formulas of linear time logic may be searched on the fly
        "engine.on_the_fly",  # and only these
        "checks.by_ranks",  # what can be decided by going back along edges
        "engine.isolated",  # what a model said of a state
    }
    told_apart = {
        module
        for module, path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        and node.module == "asset.ir.requirements"
        and kinds & {alias.name for alias in node.names}
    }
    assert told_apart <= of_the_recipe | with_a_reason, told_apart - of_the_recipe - with_a_reason
    assert with_a_reason <= told_apart, f"no longer needed: {with_a_reason - told_apart}"
