"""The explorer: what it says of states and runs, whom it answers, and how it looks to a browser."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import uvicorn
from browser import chromium
from places import MODELS

import asset
from asset.cli.explorer.app import ExplorerRequests, application
from asset.cli.explorer.neighbourhood import around
from asset.cli.explorer.session import Session
from asset.cli.main import main
from asset.cli.tools.explore import _listening
from asset.errors import UsageError
from asset.frontends.python import load
from asset.languages import ModelSpec
from asset.space.state_graph import Mark

if TYPE_CHECKING:
    from playwright.sync_api import Page

RING = str(MODELS / "token_ring.py")
TABLE = str(MODELS / "philosophers.py:Philosophers")

LAMP = """
from asset import Model, must_progress, transition, when

class Lamp(Model):
    def state(self):
        self.on = False
        self.broken = False

    @transition
    def switch(self):
        when(not self.broken)
        self.on = not self.on

    @transition
    def drop(self):
        when(self.on and not self.broken)
        self.broken = True

    @transition
    def flicker(self):
        when(self.broken)
        self.on = not self.on

    @must_progress
    def whole(self):
        return not self.broken
"""


# --- states and runs --------------------------------------------------------------------------------------------


def commands(session: Session, *names: str) -> list[int]:
    numbers = {session.program.command_name(c): c for c in range(session.program.nr_commands)}
    return [numbers[name] for name in names]


def test_a_state_is_shown_with_what_can_happen_and_what_each_would_change() -> None:
    session = Session.of(ModelSpec(TABLE, {"n": "2"}))
    run = session.run(commands(session, "take_first(0)"))
    shown = session.shown(run, 1)
    assert shown["state"] == {"doing": ["WAITING", "THINKING"], "taken": [True, False]}
    assert shown["changed"] == ["doing[0]", "taken[0]"]
    assert {each["name"]: each["changes"] for each in shown["enabled"]} == {
        "take_first(1)": ["doing[1]: THINKING → WAITING", "taken[1]: False → True"],
        "take_second(0)": ["doing[0]: WAITING → EATING", "taken[1]: False → True"],
        "leave(1)": ["doing[1]: THINKING → LEFT"],
    }
    assert (shown["wrong"], shown["again"]) == ([], 1)


def test_what_is_wrong_is_said() -> None:
    session = Session.of(ModelSpec(TABLE, {"n": "2"}))
    run = session.run(commands(session, "take_first(0)", "take_first(1)"))
    assert session.shown(run, 2)["wrong"] == ["everyone_has_left is false"]


def test_a_state_met_again_is_said_to_be() -> None:
    session = Session.of(ModelSpec(TABLE, {"n": "2"}))
    run = session.run(commands(session, "take_first(0)", "take_second(0)", "put_back(0)"))
    assert session.shown(run, 3)["again"] == 0


@pytest.mark.parametrize(
    ("run", "complaint"), [([99], "no such transition"), ([-1], "no such transition"), ([2], "is disabled there")]
)
def test_only_runs_of_the_model_are_runs(run: list[int], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        Session.of(ModelSpec(TABLE, {"n": "2"})).run(run)


def test_a_random_walk_is_a_run_and_the_same_for_the_same_seed() -> None:
    session = Session.of(ModelSpec(RING, {"n": "3"}))
    one, other = session.random((), 50, seed=1), session.random((), 50, seed=1)
    assert one == other == session.run(one)
    assert len(one) == 50 or not session.shown(one, len(one))["enabled"]


def test_a_node_at_the_border_of_a_neighbourhood_is_not_taken_for_terminal() -> None:
    session = Session.of(ModelSpec(RING, {"n": "2"}))
    found = around(session.executable, session.program.initial, 1)
    assert all(Mark.TERMINAL not in node.marks for node in found.graph.nodes)
    assert found.graph.nodes[0].marks == {Mark.HERE, Mark.INITIAL}
    assert [len(way) for way in found.ways] == [0] + [1] * (len(found.ways) - 1)
    for node, way in zip(found.graph.nodes, found.ways, strict=True):
        assert session.shown(session.run(way), len(way))["state"] == node.values


# --- whom it answers --------------------------------------------------------------------------------------------


class Served:
    """An explorer that answers on this machine, in a thread."""

    token = "sesame"

    def __init__(self, model: str, parameters: dict[str, str]) -> None:
        self.listener = _listening(0)
        self.port: int = self.listener.getsockname()[1]
        self.explorer = ExplorerRequests(Session.of(ModelSpec(model, parameters)))
        app = application(self.explorer, self.port, self.token)
        self.server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]}, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def ask(self, what: str, body: object, **headers: str) -> tuple[int, dict[str, Any]]:
        given = {"X-Asset-Token": self.token, "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = Request(f"http://127.0.0.1:{self.port}/api/{what}", data, given, method="POST")
        try:
            with urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            text = error.read()
            return error.code, json.loads(text) if text.startswith(b"{") else {"error": text.decode()}

    def close(self) -> None:
        self.explorer.stop({})
        self.server.should_exit = True
        self.thread.join(60)
        self.listener.close()


@pytest.fixture(scope="module")
def ring() -> Iterator[Served]:
    served = Served(RING, {"n": "2"})
    yield served
    served.close()


def test_it_can_be_reached_from_this_machine_only(ring: Served) -> None:
    assert ring.listener.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"X_Asset_Token": "guess"},
        {"X_Asset_Token": ""},
    ],
)
def test_strangers_are_refused(ring: Served, headers: dict[str, str]) -> None:
    assert ring.ask("model", {}, **headers)[0] == 403


def test_the_page_needs_the_token_and_may_load_nothing_from_elsewhere(ring: Served) -> None:
    with pytest.raises(HTTPError, match="403"):
        urlopen(f"http://127.0.0.1:{ring.port}/", timeout=60)
    with urlopen(ring.address, timeout=60) as page:
        policy = page.headers["Content-Security-Policy"]
        text = page.read().decode()
    assert policy.startswith("default-src 'none'; script-src 'nonce-")
    assert "http://" not in text and "https://" not in text


@pytest.mark.parametrize(
    ("what", "body", "status"),
    [
        ("state", {"run": "0"}, 422),
        ("state", {"run": ["0"]}, 422),
        ("state", {"run": [True]}, 422),
        ("state", {"run": [], "at": 5}, 422),
        ("state", {}, 422),
        ("random", {"run": [], "steps": 10**9}, 422),
        ("neighbourhood", {"run": [], "steps": 100}, 422),
        ("check", {"stubborn": 7}, 422),
        ("check", {"stubborn": "maybe"}, 422),
        ("model", {"parameters": {"n": 3}}, 422),
        ("state", b"not json", 400),
        ("state", [1], 400),
        ("state", b"[" * 150_000, 400),
        ("state", b" " * 300_000, 400),
        ("nothing", {}, 404),
    ],
)
def test_nonsense_is_refused(ring: Served, what: str, body: object, status: int) -> None:
    code, answer = ring.ask(what, body)
    assert code == status and answer["error"]


def test_requests_must_be_json(ring: Served) -> None:
    assert ring.ask("state", {"run": [], "at": 0}, Content_Type="text/plain")[0] == 400


def test_text_from_the_page_is_never_run(ring: Served, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for text in (f"__import__('pathlib').Path({str(mark)!r}).touch()", f"$(touch {mark})", "1+1", "(1).real"):
        code, answer = ring.ask("model", {"parameters": {"n": text}})
        assert code == 422 and "n takes an integer" in answer["error"]
    assert not mark.exists()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("while True: pass", "did not answer within"),
        ("raise SystemExit(0)", "SystemExit"),
        ("raise BaseException('no')", "no"),
        ("raise RecursionError", "RecursionError"),
        ("1 +", "SyntaxError"),
    ],
)
def test_a_model_that_cannot_be_loaded_again_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, complaint: str
) -> None:
    monkeypatch.setattr("asset.cli.explorer.app.PATIENCE", 1.0)
    file = tmp_path / "lamp.py"
    file.write_text(LAMP)
    served = Served(str(file), {})
    try:
        file.write_text(f"{change}\n")
        status, answer = served.ask("model", {"parameters": {}})
        assert status == 422 and complaint in answer["error"]
        status, shown = served.ask("state", {"run": [0], "at": 1})
        assert status == 200 and shown["state"]["on"] is True
    finally:
        served.close()


def test_a_long_run_takes_little_memory() -> None:
    served = Session.of(ModelSpec(TABLE, {"n": "3"}))
    cycle = commands(served, "take_first(0)", "take_second(0)", "put_back(0)")
    run = (cycle * 2000)[:5000]
    tracemalloc.start()
    try:
        shown = served.shown(served.run(run), 5000)
        assert len(shown["steps"]) == 5000
        del shown
        for length in (4999, 4000, 5000):
            served.run(run[:length])
        assert tracemalloc.get_traced_memory()[0] < 10_000_000
    finally:
        tracemalloc.stop()


def test_the_states_of_a_wide_model_are_made_again_rather_than_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.cli.explorer.remembered_run.MOST_CELLS", 10_000)
    served, kept = Session.of(ModelSpec(TABLE, {"n": "3"})), Session.of(ModelSpec(TABLE, {"n": "3"}))
    run = kept.random((), 40, seed=5)
    for length in range(len(run), -1, -3):
        assert served.shown(served.run(run), length) == kept.shown(kept.run(run), length)


def test_random_requests_are_answered(ring: Served) -> None:
    rng = random.Random(7)
    names = ["model", "state", "random", "neighbourhood", "check", "progress", "stop"]
    things: list[Any] = [
        None,
        True,
        -1,
        0,
        1,
        3,
        2**70,
        1.5,
        "",
        "n",
        [],
        [0],
        [1, 2],
        [[]],
        {},
        {"n": "2"},
        {"n": "x"},
    ]
    for _ in range(int(os.environ.get("ASSET_EXAMPLES", "150"))):
        fields = rng.sample(["run", "at", "steps", "parameters", "stubborn", "other"], rng.randrange(4))
        status, answer = ring.ask(rng.choice(names), {name: rng.choice(things) for name in fields})
        assert status in (200, 422) and isinstance(answer, dict)
    ring.ask("stop", {})
    assert ring.ask("model", {"parameters": {"n": "2"}})[0] == 200


# --- checks -----------------------------------------------------------------------------------------------------


def finished(served: Served) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        told = served.ask("progress", {})[1]
        if not told["running"]:
            return told
        time.sleep(0.02)
    raise AssertionError("the check does not end")


def test_a_check_gives_the_verdict_and_its_run() -> None:
    served = Served(TABLE, {"n": "3"})
    try:
        assert served.ask("progress", {})[1]["running"] is False
        assert served.ask("check", {})[0] == 200
        told = finished(served)
        assert (told["verdict"], told["states"]) == ("violated", 45)
        assert "everyone_has_left is false" in told["headline"]
        status, shown = served.ask("state", {"run": told["run"], "at": len(told["run"])})
        assert status == 200 and shown["wrong"] == ["everyone_has_left is false"]
    finally:
        served.close()


def test_a_check_can_be_stopped() -> None:
    served = Served(RING, {"n": "10"})  # it would take half a minute and 2 GiB
    try:
        served.ask("check", {})
        time.sleep(0.3)
        status, told = served.ask("stop", {})
        assert status == 200 and not told["running"]
        assert told["verdict"] == "undecided" and "interrupted" in told["headline"]
    finally:
        served.close()


def test_the_command_prints_the_address_and_ends_with_ctrl_c() -> None:
    words = [sys.executable, "-m", "asset", "explore", RING, "-p", "n=2"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    title, _, address = process.stdout.readline().strip().partition(": ")
    assert title == "TokenRing(n=2)"
    with urlopen(address, timeout=60) as page:
        assert page.status == 200
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0, "")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_the_first_signal_even_if_the_model_hangs(tmp_path: Path, sent: signal.Signals) -> None:
    file = tmp_path / "lamp.py"
    file.write_text(LAMP)
    words = [sys.executable, "-m", "asset", "explore", str(file)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip().partition(": ")[2]
        file.write_text("import time\ntime.sleep(600)\n")
        at, _, token = address.partition("?token=")
        given = {"X-Asset-Token": token, "Content-Type": "application/json"}
        asking = Request(f"{at}api/model", json.dumps({"parameters": {}}).encode(), given, method="POST")
        waiting = threading.Thread(target=lambda: suppressed(asking), daemon=True)
        waiting.start()
        time.sleep(1.0)
        process.send_signal(sent)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 0 and "Traceback" not in err


def suppressed(request: Request) -> None:
    with suppress(OSError):
        urlopen(request, timeout=60).read()


def test_a_port_that_is_taken_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        assert main(["explore", RING, "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot serve on port" in capsys.readouterr().err


def test_without_its_packages_the_command_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["explore", RING]) == 2
    assert "pip install 'asset-mc[explore]'" in capsys.readouterr().err


# --- in a browser -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser_page() -> Iterator[Page]:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(60_000)
        yield page


def state_on(page: Page) -> dict[str, list[str]]:
    """What the table of the page shows."""
    rows = page.locator("#state tr").all()
    return {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in rows}


def words(state: dict[str, Any]) -> dict[str, list[str]]:
    return {name: [str(v) for v in (value if isinstance(value, list) else [value])] for name, value in state.items()}


def at_step(page: Page, number: int) -> None:
    """Waits until the page shows that step."""
    page.wait_for_selector(f"#steps li:nth-child({number + 1}) button[aria-current]")


def test_a_lasso_is_followed_in_the_browser_and_shows_the_states_of_the_json(
    browser_page: Page, tmp_path: Path
) -> None:
    (tmp_path / "lamp.py").write_text(LAMP)
    verdict = asset.check(load(tmp_path / "lamp.py"))
    steps = verdict.to_dict()["counterexample"]["steps"]
    assert verdict.counterexample is not None and verdict.counterexample.cycle_starts_at is not None
    served = Served(str(tmp_path / "lamp.py"), {})
    complaints: list[str] = []
    browser_page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        browser_page.goto(served.address)
        browser_page.click("#check")
        browser_page.click("#follow:not([disabled])")
        at_step(browser_page, 0)
        for number, step in enumerate(steps):
            at_step(browser_page, number)
            assert state_on(browser_page) == words(step["state"])
            browser_page.keyboard.press("ArrowRight")
        assert "again" in browser_page.inner_text("#said")
        # Leave it in the middle: what was fired instead is the run now.
        browser_page.click("#steps li:nth-child(2) button")
        at_step(browser_page, 1)
        browser_page.click("#enabled button >> text=switch")
        at_step(browser_page, 2)
        assert state_on(browser_page) == {"on": ["False"], "broken": ["False"]}
        assert browser_page.locator("#steps li").count() == 3
    finally:
        served.close()
    assert complaints == []


def test_parameters_pictures_and_walks_work_in_the_browser(browser_page: Page) -> None:
    served = Served(RING, {"n": "2"})
    try:
        browser_page.goto(served.address)
        browser_page.wait_for_selector("#title:has-text('TokenRing(n=2)')")  # it is the last thing that is shown
        browser_page.fill("input[name=n]", "three")
        browser_page.click("#parameters button")
        browser_page.wait_for_selector("#error:has-text('n takes an integer')")
        browser_page.fill("input[name=n]", "3")
        browser_page.click("#parameters button")
        browser_page.wait_for_selector("#title:has-text('TokenRing(n=3)')")
        assert len(state_on(browser_page)["client"]) == 3
        browser_page.click("#picture [data-n='1'] text >> nth=0")
        at_step(browser_page, 1)
        browser_page.click("#walk")
        browser_page.locator("#steps li").nth(2).wait_for()  # it may end before its 20 steps
        browser_page.keyboard.press("Home")
        at_step(browser_page, 0)
        assert browser_page.locator("#source .hit").count() <= 1
    finally:
        served.close()


def test_a_check_is_stopped_in_the_browser(browser_page: Page) -> None:
    served = Served(RING, {"n": "10"})
    try:
        browser_page.goto(served.address)
        at_step(browser_page, 0)
        browser_page.click("#check")
        browser_page.locator("#progress", has_text=re.compile("[1-9].* states, ")).wait_for()
        browser_page.click("#stop:not([disabled])")
        browser_page.wait_for_selector("#progress:has-text('interrupted')")
        assert browser_page.is_enabled("#check")
    finally:
        served.close()
