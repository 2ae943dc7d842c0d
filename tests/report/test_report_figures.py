"""Numbers in reports."""

from __future__ import annotations

import pytest

from asset.report import figures
from asset.report.document import cells, folded, harmless, packed


@pytest.mark.parametrize(
    ("number", "text"), [(0, "no states"), (1, "1 state"), (2, "2 states"), (1_350_000, "1,350,000 states")]
)
def test_a_count_agrees_with_its_noun(number: int, text: str) -> None:
    assert figures.count(number, "state") == text


@pytest.mark.parametrize(
    ("duration", "text"),
    [(0.0041, "0.004 s"), (9.5, "9.500 s"), (61.04, "61.0 s"), (133, "2 min 13 s"), (3720, "1 h 02 min")],
)
def test_a_long_time_is_told_in_minutes_and_hours(duration: float, text: str) -> None:
    assert figures.seconds(duration) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 bytes"), (1023, "1,023 bytes"), (1024, "1.0 KiB"), (1 << 30, "1.0 GiB"), (3 << 40, "3.0 TiB")],
)
def test_a_size_is_in_powers_of_1024(number: int, text: str) -> None:
    assert figures.size(number) == text


@pytest.mark.parametrize(
    ("number", "text"), [(7, "7"), (999, "999"), (12_340, "12.3 k"), (964_000, "964 k"), (32_100_000, "32.1 M")]
)
def test_a_rate_has_three_digits(number: int, text: str) -> None:
    assert figures.rate(number, 1.0) == text


def test_wide_characters_take_two_columns_and_combining_ones_none() -> None:
    assert cells("状态") == 4
    assert cells("é") == 1
    assert cells("e\u0301") == 1


def test_phrases_are_broken_between_rather_than_within() -> None:
    assert packed(["a: 0 → 1", "b: 0 → 1", "c: 0 → 1"], 20) == ["a: 0 → 1, b: 0 → 1,", "c: 0 → 1"]


def test_a_word_wider_than_the_line_is_broken() -> None:
    assert folded("x" * 20, 8) == ["x" * 8, "x" * 8, "x" * 4]


def test_control_characters_of_the_user_are_left_out() -> None:
    assert harmless("a\x1b[1;31mb\x07\tc\x1b]\n  d\n\n") == ["ab      c", "  d"]
