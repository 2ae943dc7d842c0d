"""The figures of the papers, exactly: plain state and edge counts of the token ring and of Peterson-n."""

from __future__ import annotations

from pathlib import Path

import pytest

from asset.checks import CheckOptions, check
from asset.frontends.python import load

MODELS = Path(__file__).parent.parent / "models"

RING = {
    2: (68, 140),
    3: (468, 1_350),
    4: (2_928, 10_880),
    5: (17_280, 78_600),
    6: (98_064, 527_760),
    7: (541_296, 3_364_200),
    8: (2_927_232, 20_632_320),
    9: (15_583_104, 122_821_920),
    10: (81_933_120, 714_052_800),
}
"""Stations: (states, edges). There is a terminal state for each place of the token."""

PETERSON = {
    ("PetersonUnrevealing", 2): (133, 266),
    ("PetersonUnrevealing", 3): (38_038, 114_114),
    ("PetersonUnrevealing", 4): (12_346_971, 49_387_884),
    ("PetersonRevealing", 2): (163, 326),
    ("PetersonRevealing", 3): (43_675, 131_025),
    ("PetersonRevealing", 4): (14_186_506, 56_746_024),
    ("Peterson", 2): (574, 1_148),
    ("Peterson", 3): (96_854, 290_562),
    ("Peterson", 4): (26_209_918, 104_839_672),
    ("PetersonSwapped", 2): (336, 602),
    ("PetersonSwapped", 3): (32_957, 87_081),
    ("PetersonSwapped", 4): (6_614_675, 23_547_787),
}
"""Model and customers: (states, edges), up to the error where there is one."""


@pytest.mark.parametrize("n", RING)
def test_the_token_ring_has_the_published_states_and_edges(n: int) -> None:
    verdict = check(load(f"{MODELS}/token_ring.py", {"n": str(n)}), CheckOptions())
    assert verdict.holds
    assert (verdict.states, verdict.edges) == RING[n]
    assert verdict.terminal_states == n


@pytest.mark.parametrize(("model", "n"), PETERSON)
def test_peterson_has_the_published_states_and_edges(model: str, n: int) -> None:
    verdict = check(load(f"{MODELS}/peterson.py:{model}", {"n": str(n)}), CheckOptions())
    assert (verdict.states, verdict.edges) == PETERSON[model, n]
    assert verdict.violated == (model == "PetersonSwapped")


@pytest.mark.parametrize("n", [9, 10])
def test_a_state_of_one_word_takes_at_most_20_bytes_all_included(n: int) -> None:
    verdict = check(load(f"{MODELS}/token_ring.py", {"n": str(n)}), CheckOptions(threads=2))
    assert (verdict.states, verdict.edges) == RING[n]
    assert verdict.memory.bytes_per_state <= 20
