"""Formulas with reductions: a symmetry changes no answer, on random models whose components are alike, or nearly.

ASSET_EXAMPLES=1000 makes a long run of it.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from symmetric_models import CLAIMS, OF_ONE, symmetric_models

from asset import check, load

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "12"))

LINEAR = ("G ({p})", "F ({p})", "G F ({p})", "F G ({p})", "G (({p}) -> F ({q}))", "({p}) U ({q})", "X ({p})")
OF_STEPS = ("G F taken(t0)", "G F taken(t0, 1)", "F G !enabled(t0)", "G (enabled(t0, 0) -> F taken(t0, 0))")
BRANCHING = ("AG EF ({p})", "AG (({p}) -> AF ({q}))", "EG ({p})", "E [({p}) U ({q})]", "AG EF !enabled(t0)")


@st.composite
def formulas(draw: st.DrawFn, patterns: tuple[str, ...]) -> str:
    def claim() -> str:
        text = draw(st.sampled_from(CLAIMS + OF_ONE)).replace("{k}", str(draw(st.integers(0, 2))))
        return f'"{text.replace("self.", "")}"'

    return draw(st.sampled_from(patterns)).replace("({p})", claim()).replace("({q})", claim())


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    symmetric_models(),
    formulas(LINEAR + OF_STEPS),
    formulas(BRANCHING),
    st.sampled_from([None, "weak", "strong"]),
)
def test_a_symmetry_changes_no_answer(text: str, linear: str, branching: str, fair: str | None) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "alike.py"
        file.write_text(text)
        subject = load(file)
        for asked in ({"ltl": linear, "fair": fair}, {"ctl": branching}):
            plain = check(subject, only=["temporal"], **asked)  # type: ignore[arg-type]
            reduced = check(subject, only=["temporal"], symmetry="auto", **asked)  # type: ignore[arg-type]
            slow = check(subject, only=["temporal"], engine="reference", **asked)  # type: ignore[arg-type]
            assert plain.answer is reduced.answer is slow.answer
            kinds = {verdict.violation and verdict.violation.kind for verdict in (plain, reduced, slow)}
            assert len(kinds) == 1
