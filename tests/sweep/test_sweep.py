"""Sweeps: which values, how the growth is told, when a sweep stops, and what it leaves behind."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from places import MODELS

from asset.cli.main import main
from asset.errors import UsageError
from asset.sweep.growth import TIMES, Growth, forecast, growth, largest
from asset.sweep.measuring import measure
from asset.sweep.plot import NOTHING, svg
from asset.sweep.row import Series, SweepRow
from asset.sweep.sweeping import Budget, Sweep
from asset.sweep.swept import split
from asset.sweep.telling import outlook, rows_in, saving, to_json

RING = str(MODELS / "token_ring.py")


def row(value: int, states: int, **other: object) -> SweepRow:
    known = SweepRow(
        str(value), "holds", "", True, states, 2 * states, states * 1e-6, 1_000_000 + 20 * states, f"f{value}"
    )
    return replace(known, **other)


def exponential(base: float, values: range) -> list[SweepRow]:
    return [row(value, round(10 * base**value)) for value in values]


# --- which values -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2..5", ("2", "3", "4", "5")),
        ("2..9:3", ("2", "5", "8")),
        ("1,2,4..6", ("1", "2", "4", "5", "6")),
        ("-1..1", ("-1", "0", "1")),
        ("RED,GREEN", ("RED", "GREEN")),
        ("3,3..4", ("3", "4")),
    ],
)
def test_values_are_ranges_and_lists(text: str, values: tuple[str, ...]) -> None:
    swept, fixed = split({"n": text, "slots": "4"})
    assert (swept.name, swept.values, fixed) == ("n", values, {"slots": "4"})


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"n": "3"}, "no parameter has several values"),
        ({}, "no parameter has several values"),
        ({"n": "1..3", "m": "1..3"}, "n and m have several values"),
        ({"n": "5..2"}, "no such range"),
        ({"n": "1..3:0"}, "no such range"),
        ({"n": "1..1000000000"}, "no such range"),
    ],
)
def test_a_sweep_varies_one_parameter_over_a_range_that_exists(parameters: dict[str, str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        split(parameters)


def test_a_tuple_in_brackets_is_one_value() -> None:
    assert split({"n": "1..2", "weights": "(1,2,3)"})[1] == {"weights": "(1,2,3)"}


# --- growth -----------------------------------------------------------------------------------------------------


def test_exponential_growth_is_said_as_a_factor() -> None:
    found = growth(exponential(5.3, range(2, 9)))
    assert found is not None and found.exponential
    assert found.in_words("n").startswith(f"{TIMES}5.3 for each step of n")


def test_polynomial_growth_is_said_as_a_power() -> None:
    found = growth([row(n, 7 * n**3) for n in range(2, 12)])
    assert found is not None and not found.exponential
    assert found.in_words("n") == "about n^3"


def test_growth_needs_three_complete_rows_with_numbers() -> None:
    rows = exponential(4, range(1, 4))
    assert growth(rows) is not None
    assert growth(rows[:2]) is None
    assert growth([*rows[:2], replace(rows[2], complete=False)]) is None
    assert growth([replace(each, value="RED") for each in rows]) is None


def test_a_forecast_begins_at_the_last_row() -> None:
    rows = exponential(4, range(2, 8))
    told = forecast(rows, Growth(True, 4.0), 9)
    assert told.states == pytest.approx(16 * rows[-1].states)
    assert told.memory == pytest.approx(1_000_000 + 20 * told.states)
    assert told.seconds == pytest.approx(told.states * 1e-6)


def test_small_rows_foretell_no_memory() -> None:
    assert forecast(exponential(2, range(1, 5)), Growth(True, 2.0), 9).memory is None


def test_the_largest_value_that_fits_and_the_first_that_does_not_are_told() -> None:
    rows = exponential(4, range(2, 8))
    budget = Budget(memory=1_000_000 + 21 * 10 * 4**10)
    told = largest(lambda value: forecast(rows, Growth(True, 4.0), value), 7, lambda f: not budget.refusal(f))
    assert [each.value for each in told] == [10, 11]


def test_what_a_cluster_would_take_is_told_of_a_value_that_needs_more_memory() -> None:
    sweep, _ = swept(Budget(memory=4_000_000), exponential(4, range(2, 12)))
    (too_large,) = outlook("n", sweep.series[0], Budget(memory=4_000_000))
    assert "a cluster of 2 such machines has the memory" in too_large
    *_, slow = outlook("n", sweep.series[0], Budget(10**12, seconds=0.02))
    assert "cluster" not in slow


# --- stopping ---------------------------------------------------------------------------------------------------


def swept(budget: Budget, rows: list[SweepRow], kept: dict[str, SweepRow] | None = None) -> tuple[Sweep, list[str]]:
    """A sweep over the values of the rows, which stand for their measurement; and what was measured."""
    by_value = {each.value: each for each in rows}
    measured: list[str] = []

    def measuring(value: str, series: Series) -> SweepRow:
        measured.append(value)
        return by_value[value]

    def fingerprint(value: str, series: Series) -> str:
        return by_value[value].fingerprint

    sweep = Sweep(list(by_value), [Series("plain", ())], budget, measuring, fingerprint, kept or {})
    list(sweep.run())
    return sweep, measured


def test_a_sweep_stops_before_a_value_that_would_not_fit() -> None:
    sweep, measured = swept(Budget(memory=4_000_000), exponential(4, range(2, 12)))
    assert measured == ["2", "3", "4", "5", "6"]
    assert sweep.series[0].stopped.endswith("3.8 MiB free")


def test_a_sweep_stops_before_a_value_that_would_take_too_long() -> None:
    sweep, measured = swept(Budget(10**12, seconds=1.0), exponential(4, range(2, 12)))
    assert measured == ["2", "3", "4", "5", "6", "7", "8"]
    assert "more than 1.000 s" in sweep.series[0].stopped


def test_a_value_that_reached_a_limit_is_the_last() -> None:
    rows = exponential(4, range(2, 6))
    rows[1] = replace(rows[1], verdict="undecided", remark="max-memory", complete=False)
    assert swept(Budget(10**12), rows)[1] == ["2", "3"]


def test_a_violated_value_does_not_end_the_sweep() -> None:
    rows = exponential(4, range(2, 6))
    rows[1] = replace(rows[1], verdict="violated", complete=False)
    assert swept(Budget(10**12), rows)[1] == ["2", "3", "4", "5"]


def test_rows_of_an_earlier_sweep_are_not_measured_again() -> None:
    rows = exponential(4, range(2, 6))
    sweep, measured = swept(Budget(10**12), rows, {"f3": rows[1], "other": rows[2]})
    assert measured == ["2", "4", "5"]
    assert [each.value for each in sweep.series[0].rows] == ["2", "3", "4", "5"]


def test_a_row_that_ended_early_or_cannot_be_known_again_is_not_kept() -> None:
    early = row(3, 100, verdict="undecided", complete=False)
    plain_python = row(4, 100, fingerprint="")
    text = to_json("n", [Series("plain", (), (row(2, 100), early, plain_python))])
    assert list(rows_in(text)) == ["f2"]


def test_interrupting_one_series_ends_all() -> None:
    def measuring(value: str, series: Series) -> SweepRow:
        return row(1, 5, verdict="undecided", remark="interrupted", complete=False)

    sweep = Sweep(["1", "2"], [Series("plain", ()), Series("stubborn", ())], Budget(10**9), measuring, lambda v, s: "")
    assert list(sweep.run()) == ["1"]
    assert [len(series.rows) for series in sweep.series] == [1, 0]


# --- what is measured and shown ---------------------------------------------------------------------------------


def test_a_process_that_dies_is_an_undecided_row() -> None:
    found = measure(["/bin/sh", "-c", "kill -9 $$"], "7", "f")
    assert (found.verdict, found.complete, found.remark) == ("undecided", False, "ended by SIGKILL")


def test_savings_are_told_where_both_counts_are_complete() -> None:
    assert saving(row(1, 300), row(1, 100)) == f"{TIMES}3"
    assert saving(None, row(1, 100)) == "—"
    assert saving(row(1, 300, complete=False), row(1, 100)) == "—"


def test_the_plot_is_a_picture_whose_series_differ_in_more_than_colour() -> None:
    rows = tuple(exponential(4, range(2, 8)))
    picture = svg("a <model>", "n", [Series("plain", (), rows), Series("stubborn", (), rows[:3])])
    tree = ElementTree.fromstring(picture)
    kinds = [element.tag.rpartition("}")[2] for element in tree.iter()]
    assert kinds.count("circle") == len(rows) + 1  # and one in the legend
    assert kinds.count("rect") == 3 + 1 + 1  # and the paper
    assert NOTHING in svg("nothing", "n", [Series("plain", ())])


def test_all_sizes_are_explored_in_one_way(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", RING, "-p", "n=4,6", "--stubborn", "auto", "--symmetry", "auto"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[3:5]]
    assert [row[1] for row in rows] == ["180", "1,232"]  # with fewer at n = 6 by stubborn sets alone


def test_the_command_tells_counts_growth_and_savings_and_goes_on_where_it_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {kind: tmp_path / f"sweep.{kind}" for kind in ("json", "csv", "svg")}
    reports = [word for kind, file in files.items() for word in (f"--{kind}", str(file))]
    assert main(["sweep", RING, "-p", "n=2..4", "--stubborn", "hand", *reports]) == 0
    told = capsys.readouterr().out
    assert f"plain: states grow {TIMES}6.56 for each step of n" in told
    assert [line.split()[:3] for line in told.splitlines()[3:6]] == [
        ["2", "44", "60"],
        ["3", "219", "327"],
        ["4", "920", "1,432"],
    ]
    assert f"{TIMES}3.18" in told
    series = json.loads(files["json"].read_text())["series"]
    assert [[each["states"] for each in one["rows"]] for one in series] == [[68, 468, 2928], [44, 219, 920]]
    table = list(csv.DictReader(files["csv"].read_text().splitlines()))
    assert [(each["series"], each["edges"]) for each in table][-1] == ("stubborn hand", "1432")
    ElementTree.parse(files["svg"])

    earlier = [each["seconds"] for one in series for each in one["rows"]]
    main(["sweep", RING, "-p", "n=2..4", "--stubborn", "hand", "--json", str(files["json"]), "--resume"])
    again = [each["seconds"] for one in json.loads(files["json"].read_text())["series"] for each in one["rows"]]
    assert again == earlier  # they would differ if anything had been checked again


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-p", "m=1..3"], "no parameter 'm'"),
        (["-p", "n=1..3", "--resume"], "--resume needs the file"),
        (["-p", "n=1..3", "--json", "/nowhere/x.json"], "there is no directory"),
        (["-p", "n=2..3", "--stubborn", "auto", "--audit"], "audit looks for mistakes"),
        (["-p", "n=1..3", "--json", "-"], "cannot write -: standard output has the report"),
    ],
)
def test_a_sweep_at_fault_is_told_of_before_anything_is_checked(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", RING, *words]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert captured.out == ""


def test_a_violated_value_makes_the_exit_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(MODELS / "hanoi.py"), "-p", "discs=1..2"]) == 1
    assert "violated (not_solved)" in capsys.readouterr().out


def test_a_sweep_that_stops_early_is_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", RING, "-p", "n=2..4", "--max-states", "100"]) == 3
    assert "undecided (max-states)" in capsys.readouterr().out
