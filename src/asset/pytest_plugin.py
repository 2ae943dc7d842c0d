"""The pytest plugin: sizes as marks, larger ones in nightly runs, and a fixture that keeps the figures of a check.

    @pytest.mark.asset_sizes(n=range(2, 5))
    @pytest.mark.asset_nightly(n=[6, 8])
    def test_ring(n):
        asset.verify(TokenRing(n=n))

Each value is a test of its own. Those of `asset_nightly` are added if pytest is run with `--asset-nightly`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from asset.checks.subject import Subject

MARKS = {
    "asset_sizes": "asset_sizes(name=values, …): run the test once for each value of the argument `name`",
    "asset_nightly": "asset_nightly(name=values, …): further values, with --asset-nightly only",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("asset", "model checking with ASSET").addoption(
        "--asset-nightly", action="store_true", help="check the sizes of the asset_nightly marks as well"
    )


def pytest_configure(config: pytest.Config) -> None:
    for text in MARKS.values():
        config.addinivalue_line("markers", text)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The test has a parameter for each name in its marks."""
    nightly = metafunc.config.getoption("--asset-nightly")
    values: dict[str, list[Any]] = {}
    for mark in MARKS:
        # The mark that is nearest to the function comes first: it is the one that counts.
        for found in reversed(list(metafunc.definition.iter_markers(mark))):
            if found.args:
                raise pytest.UsageError(f"{metafunc.definition.nodeid}: write @pytest.mark.{mark}(n=[2, 3])")
            for name, given in found.kwargs.items():
                known = values.setdefault(name, [])
                if mark == "asset_sizes" or nightly:
                    known += [value for value in given if value not in known]
    for name, given in values.items():
        metafunc.parametrize(name, given, ids=[f"{name}={value}" for value in given])


@pytest.fixture
def asset_verify(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`asset.verify`, which also keeps states, edges and seconds as properties of the test (in JUnit XML, say)."""
    import asset
    from asset.verifying import require

    def verify(model: asset.Model | Subject, **options: Any) -> asset.Verdict:
        __tracebackhide__ = True
        verdict = asset.check(model, **options)
        figures = {"states": verdict.states, "edges": verdict.edges, "seconds": round(verdict.seconds.total, 3)}
        for name, value in figures.items():
            # What record_property does, which warns if the XML is of the kind that is the default.
            request.node.user_properties.append((f"asset_{name}", value))
        return require(verdict)

    return verify
