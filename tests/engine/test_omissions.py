"""What stores that omit states are expected to omit: figures that are known, and what is measured."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from asset.codegen.compiled import compile
from asset.engine import native
from asset.engine.omissions import (
    NEGLIGIBLE,
    Approximate,
    Table,
    best_addresses,
    bitstate_omissions,
    compact_omissions,
    probability,
)
from asset.engine.outcome import Limits, Outcome, Stop, Task
from asset.languages import ModelSpec, load

MODELS = Path(__file__).parents[2] / "models"
MEGABYTE = 8 << 20  # in bits


# --- figures of 3Spin and 3Murphi (2005) ----------------------------------------------------------------------------


def test_a_gigabyte_with_21_addresses_omits_twenty_of_300_million_states() -> None:
    assert bitstate_omissions(3e8, 1024 * MEGABYTE, 21) == pytest.approx(20.69, abs=0.01)


@pytest.mark.parametrize(("addresses", "chance"), [(21, 0.0042), (35, 0.00073)])
def test_1750_megabytes_omit_any_of_300_million_states_seldom(addresses: int, chance: float) -> None:
    assert probability(bitstate_omissions(3e8, 1750 * MEGABYTE, addresses)) == pytest.approx(chance, rel=0.02)


def test_400_megabytes_with_24_addresses_omit_none_of_50_million_states() -> None:
    assert probability(bitstate_omissions(5e7, 400 * MEGABYTE, 24)) == pytest.approx(7.05e-7, rel=0.002)


def test_400_megabytes_have_105_million_cells_of_32_bits() -> None:
    assert Table("compact", 400 << 20, 2).cells == 104_857_600


@pytest.mark.parametrize(("bits", "chance"), [(31, 0.0983), (32, 0.0504)])
def test_a_bit_for_empty_cells_doubles_what_compaction_omits(bits: int, chance: float) -> None:
    assert probability(compact_omissions(1e8, 104_857_600, bits)) == pytest.approx(chance, abs=0.0001)


@pytest.mark.parametrize(("states", "megabytes", "addresses"), [(3e8, 1024, 21), (3e8, 1750, 35)])
def test_the_best_number_of_addresses_is_that_of_the_paper(states: float, megabytes: int, addresses: int) -> None:
    assert best_addresses(states, megabytes * MEGABYTE) == addresses


def test_the_best_number_of_addresses_is_the_best() -> None:
    best = best_addresses(1e8, 400 * MEGABYTE)
    omitted = [bitstate_omissions(1e8, 400 * MEGABYTE, k) for k in (best - 1, best, best + 1)]
    assert min(omitted) == omitted[1]
    assert best in (24, 25)


def test_a_full_table_omits_whatever_comes() -> None:
    assert compact_omissions(100, 100, 64) == math.inf
    assert probability(math.inf) == 1


def test_the_sum_is_that_of_single_states() -> None:
    one_by_one = sum((1 - math.exp(-i * 3 / 4000)) ** 3 for i in range(1000))
    assert bitstate_omissions(1000, 4000, 3) == pytest.approx(one_by_one, rel=0.01)


# --- tables ---------------------------------------------------------------------------------------------------------


def test_three_addresses_if_nothing_is_known() -> None:
    assert Approximate("bitstate").table(None, 1 << 40).parameter == 3


def test_no_more_addresses_than_are_of_use() -> None:
    table = Approximate("bitstate", 1_000_000).table(None, 1 << 40)
    assert table.omissions(1_000_000) <= NEGLIGIBLE
    assert Table("bitstate", table.size, table.parameter - 1).omissions(1_000_000) > NEGLIGIBLE


def test_a_table_is_three_quarters_of_the_limit() -> None:
    assert Approximate("bitstate").table(1 << 30, 1 << 40).size == 3 << 28


@pytest.mark.parametrize(("expect", "bits"), [(1_000, 64), (180_000, 32), (280_000, 21), (10**9, 8)])
def test_cells_are_as_wide_as_what_is_expected_allows(expect: int, bits: int) -> None:
    assert Approximate("compact", expect).table(4 << 18, 1 << 40).bits == bits


# --- measured -------------------------------------------------------------------------------------------------------

RING_STATES = 98_064  # of 6 stations


def explored(how: Approximate | None, memory: int | None = None, threads: int = 1, n: int = 6) -> Outcome:
    program = load(ModelSpec(str(MODELS / "token_ring.py"), {"n": str(n)})).executable().program
    limits = Limits(max_memory=memory, threads=threads, approximate=how)
    return native.explore(compile(program), Task(program.initial_states), limits)


def test_the_ring_has_so_many_states() -> None:
    assert explored(None).states == RING_STATES


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("store", ["bitstate", "compact"])
def test_a_large_table_omits_nothing(store: str, threads: int) -> None:
    found = explored(Approximate(store, RING_STATES), threads=threads)
    assert found.stop is Stop.APPROXIMATE
    assert found.omissions is not None
    assert found.omissions.expected < 1e-3
    at_most = threads if store == "bitstate" else 1  # there, threads may set different bits of a state at once
    assert RING_STATES <= found.states <= RING_STATES * at_most


@pytest.mark.parametrize(("store", "size"), [("bitstate", 110_000), ("bitstate", 160_000), ("compact", 115_000)])
def test_what_is_omitted_is_what_is_expected(store: str, size: int) -> None:
    """The sum over ten seeds, in tables that are too small. What follows an omitted state is mostly found otherwise."""
    expected = omitted = 0.0
    for seed in range(10):
        found = explored_in(Table(store, size // 8 * 8, 3 if store == "bitstate" else 8), seed)
        assert found.omissions is not None
        expected += found.omissions.table.omissions(RING_STATES)
        omitted += RING_STATES - found.states
    assert expected > 100
    assert omitted == pytest.approx(expected, rel=0.15)


def explored_in(table: Table, seed: int) -> Outcome:
    class Given(Approximate):
        def table(self, limit: int | None, available: int) -> Table:
            return table

    return explored(Given(table.store, seed=seed))


def test_a_table_for_compaction_that_fills_up_ends_the_search() -> None:
    found = explored_in(Table("compact", 80_000, 8), 0)
    assert found.stop is Stop.MAX_MEMORY
    assert found.states > 78_000
