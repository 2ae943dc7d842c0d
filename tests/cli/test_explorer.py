"""The explorer: what it says of states and runs, whom it answers, and how it looks to a browser."""

from __future__ import annotations

import json
import os
import random
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
from explorer_served import LAMP, Served
from places import MODELS

from asset.checks.rendering import values
from asset.cli.explorer.neighbourhood import around
from asset.cli.explorer.session import Session
from asset.cli.main import main
from asset.errors import UsageError
from asset.languages import ModelSpec
from asset.space.state_graph import Mark

if TYPE_CHECKING:
    pass

RING = str(MODELS / "token_ring.py")
TABLE = str(MODELS / "philosophers.py:Philosophers")

# --- states and runs --------------------------------------------------------------------------------------------


def commands(session: Session, *names: str) -> list[int]:
    numbers = {session.program.command_name(c): c for c in range(session.program.nr_commands)}
    return [numbers[name] for name in names]


def test_a_state_is_shown_with_what_can_happen_and_what_each_would_change() -> None:
    session = Session.of(ModelSpec(TABLE, {"n": "2"}))
    run = session.run(commands(session, "take_first(0)"))
    shown = session.shown(run, 1)
    assert shown["state"] == {"doing": ["WAITING", "THINKING"], "taken": ["True", "False"]}
    assert shown["before"] == {"doing": ["THINKING", "THINKING"], "taken": ["False", "False"]}
    assert shown["holds"] == {"neighbours_do_not_eat_together": True}
    assert {each["name"]: each["changes"] for each in shown["enabled"]} == {
        "take_first(1)": ["doing[1]: THINKING → WAITING", "taken[1]: False → True"],
        "take_second(0)": ["doing[0]: WAITING → EATING", "taken[1]: False → True"],
        "leave(1)": ["doing[1]: THINKING → LEFT"],
    }
    assert (shown["wrong"], shown["again"]) == ([], 1)


def test_what_is_wrong_is_said() -> None:
    session = Session.of(ModelSpec(TABLE, {"n": "2"}))
    run = session.run(commands(session, "take_first(0)", "take_first(1)"))
    shown = session.shown(run, 2)
    assert shown["wrong"] == ["everyone_has_left is false"]
    assert shown["still"][-1] == "i=0 waits for i=1, i=1 waits for i=0"


def test_what_cannot_happen_is_said_with_what_it_waits_for() -> None:
    session = Session.of(ModelSpec(TABLE, {"n": "2"}))
    told = session.why_not(session.run(commands(session, "take_first(0)")))
    why = {each["name"]: each["why"] for each in told["disabled"]}
    assert "doing[1] == Doing.WAITING" in why["take_second(1)"] and told["more"] == 0
    assert set(why).isdisjoint(each["name"] for each in session.shown(session.run([]), 0)["enabled"] if each["error"])


def test_a_run_is_drawn_in_lanes_of_all_processes() -> None:
    session = Session.of(ModelSpec(str(MODELS / "peterson_processes.py:PetersonLocals"), {"n": "2"}))
    run = session.random((), 3, seed=1)
    drawn = session.drawn(run)
    assert drawn["lanes"].count('class="dot"') == 3 and "customer 1" in drawn["lanes"]
    assert all(step["name"].startswith("customer ") for step in drawn["steps"])


UNIT_TESTS = {
    "philosophers.py:Philosophers": {"n": "2"},
    "peterson_processes.py:PetersonLocals": {"n": "2"},
    "river_crossing.py": {},
    "asset_style.py:Semaphore": {},
    "paxos.py:Paxos": {},
    "raft_election.py:RaftElection": {},
}


@pytest.mark.parametrize("name", UNIT_TESTS)
def test_a_run_is_copied_as_a_unit_test_that_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session.of(ModelSpec(str(MODELS / name), UNIT_TESTS[name]))
    monkeypatch.syspath_prepend(str(MODELS))
    for seed in range(3):
        run = session.random((), 12, seed)
        text = session.unit_test(run, 0)["text"]
        assert text.count("    assert model.") >= len(run)
        defined: dict[str, Any] = {}
        exec(compile(text, "copied", "exec"), defined)
        next(made for known, made in defined.items() if known.startswith("test_"))()


def test_only_python_has_unit_tests(tmp_path: Path) -> None:
    (tmp_path / "tick.pml").write_text("active proctype p() { byte x; x = 1 }\n")
    session = Session.of(ModelSpec(str(tmp_path / "tick.pml"), {}))
    with pytest.raises(UsageError, match="models in Python"):
        session.unit_test((), 0)


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
        assert values(session.program, session.state(session.run(way))) == node.values


# --- whom it answers --------------------------------------------------------------------------------------------


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
        assert status == 200 and shown["state"]["on"] == "True"
    finally:
        served.close()


def test_a_long_run_takes_little_memory() -> None:
    served = Session.of(ModelSpec(TABLE, {"n": "3"}))
    cycle = commands(served, "take_first(0)", "take_second(0)", "put_back(0)")
    run = tuple((cycle * 2000)[:5000])
    tracemalloc.start()
    try:
        shown = served.shown(served.run(run), 5000)
        assert shown["at"] == 5000 and len(served.drawn(run)["steps"]) == 5000
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
    names = ["model", "run", "state", "disabled", "test", "random", "neighbourhood", "check", "progress", "stop"]
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
