"""Models as tests: `asset.verify`, the marks for sizes, and the fixture."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

import asset
from asset import Int, Model, invariant, terminal, transition, when

pytest_plugins = ["pytester"]

PLUGIN = () if any(entry.name == "asset" for entry in entry_points(group="pytest11")) else ("-p", "asset.pytest_plugin")
"""Loads the plugin where the package is not installed."""

COUNTER = """
    import asset
    import pytest
    from asset import Int, Model, invariant, transition, when

    class Counter(Model):
        n: int = 3

        def state(self):
            self.value = Int(0, 100)

        @transition
        def increment(self):
            when(self.value < 5)
            self.value += 1

        @invariant
        def small(self):
            return self.value <= self.n
"""


class Counter(Model):
    n: int = 3

    def state(self) -> None:
        self.value = Int(0, 100)

    @transition
    def increment(self) -> None:
        when(self.value < 5)
        self.value += 1

    @invariant
    def small(self) -> bool:
        return self.value <= self.n

    @terminal
    def may_end(self) -> bool:
        return True


def test_verify_gives_the_verdict_of_a_model_that_holds() -> None:
    verdict = asset.verify(Counter(n=5))
    assert verdict.holds and verdict.states == 6


def test_verify_fails_with_the_counterexample() -> None:
    with pytest.raises(asset.NotVerified, match="small is false after 4 steps") as failure:
        asset.verify(Counter(n=3))
    assert "value: 3 → 4" in str(failure.value)
    assert failure.value.verdict.violated
    assert isinstance(failure.value, AssertionError)


def test_what_is_undecided_is_not_verified() -> None:
    with pytest.raises(asset.NotVerified, match="undecided"):
        asset.verify(Counter(n=5), max_states=2)


def test_a_failing_test_shows_the_counterexample_and_none_of_our_own_code(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COUNTER + "\n    def test_small():\n        asset.verify(Counter(n=3))\n")
    result = pytester.runpytest(*PLUGIN)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*asset.verify(Counter(n=3))*", "E*small is false after 4 steps*", "E*value: 3*4*"])
    result.stdout.no_fnmatch_line("*verifying.py*")


SIZES = (
    COUNTER
    + """
    @pytest.mark.asset_sizes(n=[5, 6])
    @pytest.mark.asset_nightly(n=[6, 7, 8])
    def test_small(n):
        asset.verify(Counter(n=n))
"""
)


def test_a_mark_gives_a_test_for_each_size(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SIZES)
    result = pytester.runpytest(*PLUGIN, "-v", "--strict-markers")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_small?n=5? PASSED*", "*test_small?n=6? PASSED*"])


def test_nightly_runs_add_sizes(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SIZES)
    pytester.runpytest(*PLUGIN, "--asset-nightly").assert_outcomes(passed=4)


def test_a_mark_without_names_is_an_error(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.asset_sizes(2, 3)\ndef test_it(n): pass\n")
    result = pytester.runpytest(*PLUGIN)
    result.stdout.fnmatch_lines(["*write @pytest.mark.asset_sizes(n=?2, 3?)*"])


def test_the_fixture_keeps_the_figures(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COUNTER + "\n    def test_small(asset_verify):\n        asset_verify(Counter(n=5))\n")
    pytester.runpytest(*PLUGIN, "--junitxml", "report.xml").assert_outcomes(passed=1)
    assert '<property name="asset_states" value="6"' in (pytester.path / "report.xml").read_text()
