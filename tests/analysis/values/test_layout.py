"""The bit layout: as few words as can be found, arrays whole where that costs nothing."""

from __future__ import annotations

from itertools import pairwise

from codegen_programs import program, variable
from hypothesis import given, settings
from hypothesis import strategies as st

from asset.analysis.values.bit_layout import BitLayout, choose_layout
from asset.ir.types import BoolType, IntType


def layout_of(*extents: tuple[int, int]) -> BitLayout:
    """The layout of arrays, each given as (cells, width)."""
    return choose_layout(
        program(
            [variable(f"v{k}", IntType(0, 2**width - 1), cells) for k, (cells, width) in enumerate(extents)], [], []
        )
    )


def test_a_state_of_one_word_uses_exactly_its_low_bits() -> None:
    layout = layout_of((3, 2), (3, 2), (3, 1))
    used = sorted(bit for c in layout.cells for bit in range(c.position, c.position + c.width))
    assert (layout.words, layout.bits, used) == (1, 15, list(range(15)))


def test_a_state_without_variables_has_one_word_and_no_bits() -> None:
    layout = layout_of()
    assert (layout.words, layout.bits, layout.pack(()), layout.unpack((0,))) == (1, 0, (0,), ())


def test_values_are_kept_as_distances_from_the_least_one() -> None:
    layout = choose_layout(program([variable("x", IntType(-3, 4)), variable("b", BoolType())], [], []))
    assert layout.pack((-3, 0)) == (0,)
    assert layout.unpack(layout.pack((4, 1))) == (4, 1)


def test_a_variable_of_one_value_needs_no_bit() -> None:
    layout = choose_layout(program([variable("x", IntType(7, 7)), variable("y", BoolType())], [], []))
    assert layout.bits == 1
    assert layout.unpack(layout.pack((7, 1))) == (7, 1)


def test_a_cell_of_64_bits_fills_a_word() -> None:
    layout = choose_layout(program([variable("x", IntType(-(2**63), 2**63 - 1)), variable("y", BoolType())], [], []))
    assert layout.words == 2
    assert layout.unpack(layout.pack((-1, 1))) == (-1, 1)


def test_small_variables_fill_the_gaps_that_large_ones_leave() -> None:
    assert layout_of((1, 60), (1, 60), (2, 4)).words == 2


def test_words_are_filled_exactly_where_first_fit_would_waste_one() -> None:
    # First fit decreasing puts 30 and 24 together, then 24, 20 and 16, and needs a third word for 14.
    assert layout_of((1, 30), (1, 24), (1, 24), (1, 20), (1, 16), (1, 14)).words == 2


def test_an_array_stays_whole_where_that_costs_no_word() -> None:
    layout = layout_of((20, 2), (20, 2), (20, 1))
    for first in (0, 20, 40):
        positions = [c.position for c in layout.cells[first : first + 20]]
        assert len({c.word for c in layout.cells[first : first + 20]}) == 1
        assert len({b - a for a, b in pairwise(positions)}) == 1
    assert layout.words == 2


def test_an_array_is_scattered_where_that_saves_a_word() -> None:
    # Three whole arrays of 40 bits need three words; cell by cell they fit two.
    assert layout_of((20, 2), (20, 2), (20, 2)).words == 2


@st.composite
def packings(draw: st.DrawFn) -> list[tuple[int, int]]:
    return draw(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 64)), max_size=8))


@settings(max_examples=40, deadline=None)
@given(packings())
def test_cells_never_overlap_nor_straddle_words(extents: list[tuple[int, int]]) -> None:
    layout = layout_of(*extents)
    bits = [(c.word, bit) for c in layout.cells for bit in range(c.shift, c.shift + c.width)]
    assert len(set(bits)) == len(bits) == layout.bits
    assert all(bit < 64 and word < layout.words for word, bit in bits)


@settings(max_examples=40, deadline=None)
@given(packings(), st.randoms(use_true_random=False))
def test_unpacking_gives_back_what_was_packed(extents: list[tuple[int, int]], random: object) -> None:
    layout = layout_of(*extents)
    state = tuple(random.choice([0, 2**c.width - 1]) for c in layout.cells)  # type: ignore[attr-defined]
    assert layout.unpack(layout.pack(state)) == state
