"""The figures of the papers, exactly: states and edges of the token ring and of Peterson-n, with each reduction."""

from __future__ import annotations

from typing import Any

import pytest
from places import MODELS

from asset.checks import CheckOptions, check
from asset.languages import ModelSpec, load
from asset.verdict import Verdict

STUBBORN = {"stubborn": "hand", "termination": True}  # as the original, which asks for both
SYMMETRY = {"symmetry": "hand"}
BOTH = {**STUBBORN, **SYMMETRY}

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

RING_STUBBORN = {
    2: (44, 60),
    3: (219, 327),
    4: (920, 1_432),
    5: (3_505, 5_625),
    6: (12_540, 20_772),
    7: (43_015, 73_899),
    8: (143_408, 256_880),
    9: (469_053, 879_885),
    10: (1_514_900, 2_984_860),
    11: (4_852_771, 10_057_839),
    12: (15_464_040, 33_719_400),
}

RING_SYMMETRY = {
    2: (34, 70),
    3: (156, 450),
    4: (732, 2_720),
    5: (3_456, 15_720),
    6: (16_344, 87_960),
    7: (77_328, 480_600),
    8: (365_904, 2_579_040),
    9: (1_731_456, 13_646_880),
    10: (8_193_312, 71_405_280),
}

RING_BOTH = {
    2: (22, 30),
    3: (73, 109),
    4: (230, 358),
    5: (701, 1_125),
    6: (2_090, 3_462),
    7: (6_145, 10_557),
    8: (17_926, 32_110),
    9: (52_117, 97_765),
    10: (151_490, 298_486),
    11: (441_161, 914_349),
    12: (1_288_670, 2_809_950),
}

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

PETERSON_STUBBORN = {
    ("PetersonUnrevealing", 2): (88, 124),
    ("PetersonUnrevealing", 3): (18_817, 34_083),
    ("PetersonUnrevealing", 4): (4_312_993, 8_988_034),
    ("PetersonRevealing", 2): (116, 162),
    ("PetersonRevealing", 3): (23_134, 41_562),
    ("PetersonRevealing", 4): (5_316_461, 10_903_336),
    ("Peterson", 2): (378, 522),
    ("Peterson", 3): (44_868, 78_750),
    ("Peterson", 4): (9_318_636, 18_581_236),
    ("PetersonSwapped", 2): (219, 258),
    ("PetersonSwapped", 3): (15_164, 22_100),
    ("PetersonSwapped", 4): (2_116_738, 3_527_255),
}

VIOLATED = {
    "PetersonUnrevealing": ("termination", None),
    "PetersonRevealing": ("may-progress", "customer_0_served"),
    "PetersonSwapped": ("safety", "mutual_exclusion"),
}
"""What is wrong with each model but Peterson; termination is asked for with stubborn sets only."""


def answer(model: str, n: int, **options: Any) -> Verdict:
    asked = {"stubborn": "off", "symmetry": "off"} | options
    return check(load(ModelSpec(f"{MODELS}/{model}", {"n": str(n)})), CheckOptions(**asked))


def counts(verdict: Verdict) -> tuple[int, int]:
    return verdict.states, verdict.edges


def violated(verdict: Verdict) -> tuple[str, str | None] | None:
    return None if verdict.violation is None else (verdict.violation.kind, verdict.violation.property)


# --- the token ring -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [n for n in RING if n < 9])
def test_the_token_ring_has_the_published_states_and_edges(n: int) -> None:
    verdict = answer("token_ring.py", n)
    assert verdict.holds
    assert counts(verdict) == RING[n]
    assert verdict.terminal_states == n


@pytest.mark.parametrize("n", [n for n in RING if n >= 9])
def test_large_rings_have_them_too_at_20_bytes_for_a_state_all_included(n: int) -> None:
    verdict = answer("token_ring.py", n, threads=2)
    assert verdict.holds
    assert counts(verdict) == RING[n]
    assert verdict.memory.bytes_per_state <= 20


@pytest.mark.parametrize("n", RING_STUBBORN)
def test_stubborn_sets_reduce_the_ring_as_published(n: int) -> None:
    verdict = answer("token_ring.py", n, **STUBBORN)
    assert verdict.holds
    assert counts(verdict) == RING_STUBBORN[n]
    assert verdict.terminal_states == n


@pytest.mark.parametrize("n", RING_SYMMETRY)
def test_symmetry_reduces_the_ring_as_published(n: int) -> None:
    verdict = answer("token_ring.py", n, **SYMMETRY)
    assert verdict.holds
    assert counts(verdict) == RING_SYMMETRY[n]
    assert verdict.terminal_states == 1


@pytest.mark.parametrize("n", RING_BOTH)
def test_both_together_reduce_the_ring_as_published(n: int) -> None:
    verdict = answer("token_ring.py", n, **BOTH)
    assert verdict.holds
    assert counts(verdict) == RING_BOTH[n]
    assert verdict.terminal_states == 1


def test_stubborn_sets_find_out_that_the_eager_ring_may_never_end() -> None:
    verdict = answer("token_ring_variants.py:EagerRing", 2, **STUBBORN)
    assert verdict.violation is not None
    assert (verdict.violation.kind, *counts(verdict)) == ("termination", 67, 93)


@pytest.mark.parametrize(
    ("n", "options", "expected"),
    [(2, STUBBORN, (46, 66)), (8, {}, (2_472_336, 17_539_200)), (8, STUBBORN, (163_264, 293_984))],
)
def test_a_server_that_keeps_the_token_may_never_serve_client_0(
    n: int, options: dict[str, Any], expected: tuple[int, int]
) -> None:
    verdict = answer("token_ring_variants.py:KeepingRing", n, **options)
    assert violated(verdict) == ("must-progress", "client_0_served")
    assert counts(verdict) == expected


def test_must_progress_under_a_symmetry_that_moves_the_client_is_not_decided() -> None:
    verdict = answer("token_ring_variants.py:ServedRing", 3, **SYMMETRY)
    assert not verdict.holds and not verdict.violated
    assert counts(verdict) == RING_SYMMETRY[3]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_tracking_the_client_makes_must_progress_right_and_reduces_nothing(n: int) -> None:
    verdict = answer("token_ring_variants.py:TrackedRing", n, **SYMMETRY)
    assert verdict.holds
    assert counts(verdict) == RING[n]


# --- Peterson-n ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "n"), PETERSON)
def test_peterson_has_the_published_states_and_edges(model: str, n: int) -> None:
    verdict = answer(f"peterson.py:{model}", n)
    assert counts(verdict) == PETERSON[model, n]
    assert violated(verdict) == (VIOLATED.get(model) if model != "PetersonUnrevealing" else None)


@pytest.mark.parametrize(("model", "n"), PETERSON_STUBBORN)
def test_stubborn_sets_reduce_peterson_as_published(model: str, n: int) -> None:
    verdict = answer(f"peterson.py:{model}", n, **STUBBORN)
    assert counts(verdict) == PETERSON_STUBBORN[model, n]
    assert (violated(verdict) or (None,))[0] == VIOLATED.get(model, (None,))[0]
