"""`asset translate model.pml` writes the same model in Python: as many states and edges, and the same verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import asset
from asset.cli.main import main
from asset.languages import ModelSpec, load

CORPUS = Path(__file__).parent / "corpus"
COUNTS: dict[str, list[int]] = json.loads((CORPUS / "counts.json").read_text())
CHOSEN = ("peterson", "rendezvous_in_atomic", "death_order", "sorted_send", "unless_rendezvous", "never_claim")


@pytest.mark.parametrize("name", CHOSEN)
def test_the_model_in_python_has_the_same_states_and_edges(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.py"
    assert main(["translate", str(CORPUS / f"{name}.pml"), "-o", str(file)]) == 0
    verdict = asset.check(load(ModelSpec(str(file))), only=["termination"], stubborn="off", symmetry="off")
    assert [verdict.states, verdict.edges] == COUNTS[name][:2]


def test_properties_are_translated(tmp_path: Path) -> None:
    file, made = tmp_path / "lamp.pml", tmp_path / "lamp.py"
    body = "byte x;\nactive proctype p() { end: do :: x == 0 -> x = 1 :: x == 1 -> x = 0 od }\n"
    file.write_text(
        f"{body}ltl small {{ [] (x < 2) }}\nltl again {{ [] <> (x == 1) }}\nltl stays {{ <> [] (x == 1) }}\n"
    )
    assert main(["translate", str(file), "-o", str(made)]) == 0
    verdict = asset.check(load(ModelSpec(str(made))))
    assert verdict.violation is not None and verdict.violation.property == "stays"
