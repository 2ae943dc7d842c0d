"""The JSON report."""

from __future__ import annotations

import json as standard

from asset.report import json
from asset.verdict import Answer, Counterexample, Memory, Seconds, Step, Verdict, Violation

VERDICT = Verdict(
    answer=Answer.VIOLATED,
    model="Ring",
    parameters={"n": 2},
    violation=Violation("safety", "mutual_exclusion", "mutual_exclusion is false"),
    counterexample=Counterexample((Step(None, {"x": [0, "IDLE"]}, (), None),)),
    states=1,
    edges=0,
    depth=0,
    terminal_states=0,
    seconds=Seconds(),
    memory=Memory(),
)

CONTRACT = {
    "verdict",
    "violation",
    "states",
    "edges",
    "depth",
    "terminal_states",
    "seconds",
    "memory",
    "counterexample",
    "caveats",
    "settings",
}


def test_the_report_has_every_field_of_the_contract() -> None:
    written = standard.loads(json.render(VERDICT))
    assert written.keys() >= CONTRACT
    assert written["verdict"] == "violated"
    assert written["violation"]["kind"] == "safety"
    (step,) = written["counterexample"]["steps"]
    assert (step["transition"], step["state"]) == (None, {"x": [0, "IDLE"]})
