"""`asset.verify`: a check that fails like an assertion, with the counterexample as its text."""

from __future__ import annotations

from asset.verdict import Verdict


class NotVerified(AssertionError):
    """The model does not hold, or that could not be decided; its text is the report of the verdict."""

    __module__ = "asset"  # where users find it; pytest cuts its summary lines, and this leaves more of them

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict = verdict


def require(verdict: Verdict) -> Verdict:
    """The verdict, if it holds; NotVerified otherwise."""
    __tracebackhide__ = True  # pytest shows the line of the test instead
    if not verdict.holds:
        raise NotVerified(verdict)
    return verdict
