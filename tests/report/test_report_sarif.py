"""SARIF reports have the form of the standard (SARIF 2.1.0, section 3), as far as they use it.

The published schema is not shipped; LOG says the same of the objects that are used: which properties they may have,
of what kind, and which they must have (`*`). With ASSET_SARIF_SCHEMA=sarif-schema-2.1.0.json and the package jsonschema
the logs are validated against the schema itself.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from test_report_files import CASES, in_the_project, verdict_of

from asset.report import sarif

__all__ = ["in_the_project"]  # the fixture is used here too

LEVELS = {"none", "note", "warning", "error"}
KINDS = {"notApplicable", "pass", "fail", "review", "open", "informational"}

Form = dict[str, Any]
BAG: Form = {}
MESSAGE: Form = {"text*": str, "markdown": str}
ARTIFACT: Form = {"uri": str, "uriBaseId": str, "index": int}
REGION: Form = {"startLine": int, "startColumn": int, "endLine": int, "endColumn": int}
PHYSICAL: Form = {"artifactLocation*": ARTIFACT, "region": REGION}
LOCATION: Form = {"physicalLocation": PHYSICAL, "message": MESSAGE}
FLOW_LOCATION: Form = {
    "location": LOCATION,
    "executionOrder": int,
    "nestingLevel": int,
    "importance": {"important", "essential", "unimportant"},
    "state": [dict],
    "properties": dict,
}
THREAD_FLOW: Form = {"locations*": (FLOW_LOCATION,)}
RESULT: Form = {
    "ruleId": str,
    "ruleIndex": int,
    "level": LEVELS,
    "kind": KINDS,
    "message*": MESSAGE,
    "locations": (LOCATION,),
    "codeFlows": ({"threadFlows*": (THREAD_FLOW,)},),
}
RULE: Form = {"id*": str, "name": str, "shortDescription": MESSAGE}
NOTIFICATION: Form = {"descriptor": {"id": str}, "level": LEVELS, "message*": MESSAGE}
INVOCATION: Form = {"executionSuccessful*": bool, "exitCode": int, "toolExecutionNotifications": (NOTIFICATION,)}
RUN: Form = {
    "tool*": {"driver*": {"name*": str, "fullName": str, "rules": (RULE,)}},
    "invocations": (INVOCATION,),
    "columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
    "results": (RESULT,),
    "properties": dict,
}
LOG: Form = {"$schema": str, "version*": {"2.1.0"}, "runs*": (RUN,)}


def assert_form(value: Any, form: Any, where: str = "log") -> None:
    """`form` is a type, a set of allowed words, (form,) for a list, or the properties of an object."""
    if isinstance(form, type):
        assert type(value) is form, f"{where} is {value!r}"
    elif isinstance(form, set):
        assert value in form, f"{where} is {value!r}"
    elif isinstance(form, tuple):
        assert isinstance(value, list), where
        for number, item in enumerate(value):
            assert_form(item, form[0], f"{where}[{number}]")
    elif isinstance(form, list):
        assert all(item.keys() <= MESSAGE_KEYS and isinstance(item["text"], str) for item in value.values()), where
    else:
        known = {name.rstrip("*"): part for name, part in form.items()}
        assert value.keys() <= known.keys(), f"{where} has {value.keys() - known.keys()}"
        missing = {name[:-1] for name in form if name.endswith("*")} - value.keys()
        assert not missing, f"{where} lacks {missing}"
        for name, part in value.items():
            assert_form(part, known[name], f"{where}.{name}")


MESSAGE_KEYS = {"text", "markdown"}


@pytest.mark.parametrize("case", CASES)
def test_a_log_has_the_form_of_the_standard(case: str) -> None:
    assert_form(json.loads(sarif.render(verdict_of(case))), LOG)


@pytest.mark.skipif("ASSET_SARIF_SCHEMA" not in os.environ, reason="ASSET_SARIF_SCHEMA names no copy of the schema")
@pytest.mark.parametrize("case", CASES)
def test_a_log_is_valid_against_the_published_schema(case: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(Path(os.environ["ASSET_SARIF_SCHEMA"]).read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(sarif.render(verdict_of(case))), schema)


@pytest.mark.parametrize("case", ["safety", "lasso", "deadlock"])
def test_the_finding_is_on_the_line_of_the_property(case: str) -> None:
    (result,) = sarif.log(verdict_of(case))["runs"][0]["results"]
    violation = verdict_of(case).violation
    assert violation and violation.span
    physical = result["locations"][0]["physicalLocation"]
    assert physical["region"]["startLine"] == violation.span.line
    assert physical["artifactLocation"] == {"uri": CASES[case][0].split(":")[0], "uriBaseId": "SRCROOT"}


@pytest.mark.parametrize("case", ["safety", "lasso", "deadlock"])
def test_the_run_is_the_code_flow(case: str) -> None:
    (result,) = sarif.log(verdict_of(case))["runs"][0]["results"]
    ((flow,),) = (each["threadFlows"] for each in result["codeFlows"])
    run = verdict_of(case).counterexample
    assert run
    assert [each["executionOrder"] for each in flow["locations"]] == list(range(len(run)))
    assert all(
        f"{step.transition or 'initial state'}" in each["location"]["message"]["text"]
        for step, each in zip(run.steps, flow["locations"], strict=True)
    )


def test_rules_are_found_by_their_index() -> None:
    for case in ("safety", "lasso", "deadlock"):
        run = sarif.log(verdict_of(case))["runs"][0]
        (result,) = run["results"]
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_what_holds_has_no_result() -> None:
    run = sarif.log(verdict_of("holds"))["runs"][0]
    assert run["results"] == []
    assert run["invocations"][0]["exitCode"] == 0
