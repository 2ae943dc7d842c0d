"""Synchronous channels: the step that sends and the step that receives are one step."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import Agreement
from process_texts import HEAD

from asset import check
from asset.analysis.processes.atomicity import Sharing
from asset.errors import ModelRejected
from asset.frontends.python import compile_model, load
from asset.model import Model

CHANNELS = "        self.c = Synchronous()\n        self.d = Synchronous(2)\n"
CALLING = HEAD.replace("import Channel", "import Synchronous\nfrom asset import eventually, temporal").replace(
    "state(self):\n", f"state(self):\n{CHANNELS}"
)


def loaded(folder: Path, members: str) -> Model:
    """The model with these members, which are not indented yet."""
    file = folder / "m.py"
    file.write_text(CALLING + "\n".join(f"    {line}" for line in members.splitlines()) + "\n")
    return load(str(file), {})


SENDER = """\
@process
def p(self):
    self.c.send(3)
    yield
    self.a[0] = 1
"""
RECEIVER = """\
@process
def q(self):
    self.x = self.c.receive()
    yield
"""


def test_both_go_on_in_one_step(tmp_path: Path) -> None:
    model = loaded(tmp_path, SENDER + RECEIVER)
    assert [(v.name, v.cells) for v in compile_model(model).variables[:3]] == [("x", 1), ("flag", 1), ("a", 3)]
    verdict = check(model, engine="reference")
    assert (verdict.states, verdict.edges) == (5, 5)  # the meeting, then a step of each in both orders
    assert len(model.enabled_transitions()) == 1


def test_who_has_nobody_to_meet_waits(tmp_path: Path) -> None:
    verdict = check(loaded(tmp_path, SENDER), engine="reference")
    assert (verdict.states, verdict.edges) == (1, 0)


def test_the_step_of_the_sender_comes_first_as_a_whole(tmp_path: Path) -> None:
    sender = "@process\ndef p(self):\n    self.c.send(self.x)\n    self.x = 5\n    yield\n"
    model = loaded(
        tmp_path, f"{sender}@process\ndef q(self):\n    k = self.c.receive()\n    self.a[0] = k + self.x\n    yield\n"
    )
    assert model.p(meets=model.q) and (model.x, model.a[0]) == (5, 5)


def test_a_message_may_be_refused(tmp_path: Path) -> None:
    receiver = "@process\ndef q(self):\n    k = self.c.receive()\n    when(k == 4)\n    self.x = k\n    yield\n"
    model = loaded(tmp_path, SENDER + receiver)
    before = repr(model)
    assert not model.p(meets=model.q) and repr(model) == before


def test_a_step_is_asked_for_with_both_processes(tmp_path: Path) -> None:
    members = (
        '@process(i="n")\ndef p(self, i):\n    self.d[i].send((i, 5))\n    yield\n'
        '@process(k="n")\ndef q(self, k):\n    j = choose(range(2))\n'
        '    self.a[k], self.x = self.d[j].receive()\n    yield "served"\n'
    )
    model = loaded(tmp_path, members)
    assert not model.p(1)  # it does nothing alone
    assert not model.p(1, meets=(model.q, 0), choices=(0,))  # another channel
    assert model.p(1, meets=(model.q, 0)) and (model.a[0], model.x) == (1, 5)
    assert model.q(1, meets=(model.p, 0)) and model.a[1] == 0  # whichever sends
    assert model.at(model.q, 0, "served")


def test_one_that_could_meet_in_several_ways_is_asked_which(tmp_path: Path) -> None:
    receiver = "@process\ndef q(self):\n    self.x = choose(1, 2)\n    self.c.receive()\n    yield\n"
    model = loaded(tmp_path, SENDER + receiver)
    with pytest.raises(TypeError, match=r"can meet in several ways: .*; give choices"):
        model.p(meets=model.q)
    assert model.p(meets=model.q, choices=(2,)) and model.x == 2


def test_no_process_meets_itself(tmp_path: Path) -> None:
    both = (
        "    if choose(True, False):\n        self.c.send(i)\n    else:\n        self.x = self.c.receive()\n    yield\n"
    )
    model = loaded(tmp_path, f'@process(i="n")\ndef p(self, i):\n{both}')
    assert len(model.enabled_transitions()) == 2  # either sends to the other
    assert check(model, engine="reference").states == 1 + 2 * 4  # then each goes on to its end


def test_a_channel_that_is_not_there_is_a_model_error(tmp_path: Path) -> None:
    sender = "@process\ndef p(self):\n    self.d[self.x + 2].send(1)\n    yield\n"
    model = loaded(tmp_path, f"{sender}@process\ndef q(self):\n    self.d[0].receive()\n    yield\n")
    assert "there is no such channel: self.d has 2" in str(check(model))


def test_a_step_is_shown_as_one_of_both(tmp_path: Path) -> None:
    property_ = "@invariant\ndef never(self):\n    return self.x == 0\n"
    report = str(check(loaded(tmp_path, SENDER + RECEIVER + property_)))
    assert "p: line 24 → 26, q: line 29 → " in report
    assert "self.c.send(3)" in report


def test_what_the_receiver_touches_of_its_own_is_no_note(tmp_path: Path) -> None:
    receiver = "@process\ndef q(self):\n    k: Int(0, 3) = self.c.receive()\n    yield\n    self.x = k\n    yield\n"
    program = compile_model(loaded(tmp_path, SENDER + receiver))
    meeting = next(family for family in program.families if family.partner == "q")
    assert meeting.process == "p" and meeting.name.startswith("p@")
    touched = next(each for each in Sharing(program).steps() if each.family is meeting)
    assert not touched.places


def test_fairness_to_the_receiver_counts_what_it_does_with_others(tmp_path: Path) -> None:
    members = (
        "@process\ndef p(self):\n    while True:\n        if choose(True, False):\n            self.c.send(1)\n"
        "        else:\n            self.flag = not self.flag\n        yield\n"
        '@process(fair="weak")\ndef q(self):\n    self.x = self.c.receive()\n    yield\n    when(False)\n    yield\n'
        "@temporal\ndef received(self):\n    return eventually(self.x == 1)\n"
    )
    assert check(loaded(tmp_path, members)).holds
    unfair = check(loaded(tmp_path, members.replace('(fair="weak")', "")))
    assert not unfair.holds


@pytest.mark.parametrize(
    ("members", "said"),
    [
        (
            "@process\ndef p(self):\n    self.x = self.c.receive() + 1\n    yield\n",
            "sends or receives, and nothing else",
        ),
        ("@process\ndef p(self):\n    self.c.send(1)\n    self.c.send(2)\n    yield\n", "has met another one already"),
        (
            "@process\ndef p(self):\n    for k in range(2):\n        self.c.send(k)\n    yield\n",
            "in a loop that it runs",
        ),
        ("@process\ndef p(self):\n    self.d.send(1)\n    yield\n", "self.d has 1 index"),
        ("@process\ndef p(self):\n    self.c[0].send(1)\n    yield\n", "self.c has no indices"),
        ("@process\ndef p(self):\n    self.c.send(1, 2)\n    yield\n", "send takes one message"),
        ("@process\ndef p(self):\n    self.c.receive(1)\n    yield\n", "receive takes nothing"),
        ("@process\ndef p(self):\n    self.c.send(self.d)\n    yield\n", "holds nothing, and is no value"),
        ("@transition\ndef t(self):\n    self.c.send(1)\n", "a process sends or receives by it"),
        ("@process\ndef p(self):\n    self.go()\n    yield\ndef go(self):\n    self.c.send(1)\n", "a process sends or"),
    ],
)
def test_what_a_channel_cannot_do_is_rejected_with_its_place(tmp_path: Path, members: str, said: str) -> None:
    with pytest.raises(ModelRejected, match=said) as rejected:
        compile_model(loaded(tmp_path, members))
    assert rejected.value.diagnostics[0].span is not None and rejected.value.diagnostics[0].remedy


def test_a_kept_message_needs_a_range(tmp_path: Path) -> None:
    receiver = "@process\ndef q(self):\n    k = self.c.receive()\n    yield\n    self.x = k\n"
    with pytest.raises(ModelRejected, match=r"annotate it, k: Int\(0, 7\)"):
        loaded(tmp_path, SENDER + receiver)
    assert loaded(tmp_path, SENDER + receiver.replace("k =", "k: Int(0, 3) =")).p.__name__ == "p"


def test_names_of_both_processes_are_told_apart(tmp_path: Path) -> None:
    sender = "@process\ndef p(self):\n    Phase = 3\n    self.c.send(Phase)\n    yield\n"
    receiver = "@process\ndef q(self):\n    when(self.c is not None)\n    yield\n"
    met = "@process\ndef r(self):\n    self.x = self.c.receive()\n    self.flag = self.x == Phase.LOW\n    yield\n"
    with pytest.raises(ModelRejected, match="Phase is a variable of p, and another name in r, which it meets"):
        loaded(tmp_path, sender + met)
    with pytest.raises(ModelRejected, match="sends or receives, and nothing else"):
        loaded(tmp_path, receiver)


def test_indices_and_parameters_of_both_are_told_apart(tmp_path: Path) -> None:
    sender = '@process(i="n")\ndef p(self, i):\n    self.c.send(i)\n    yield\n'
    receiver = (
        '@process(i="n", i_=2)\ndef q(self, i, i_):\n    k = self.c.receive()\n'
        "    self.x = max([i, i_], key=lambda k: -k) + k\n    yield\n"
    )
    model = loaded(tmp_path, sender + receiver)
    assert model.p(1, meets=(model.q, 1, 0)) and model.x == 1
    assert Agreement(model).explore() > 0


def test_a_process_is_at_its_start_until_it_goes_on(tmp_path: Path) -> None:
    model = loaded(tmp_path, SENDER + RECEIVER)
    assert model.at(model.p, "start")
    assert model.p(meets=model.q) and not model.at(model.p, "start")


def test_to_send_outside_of_a_process_is_a_mistake(tmp_path: Path) -> None:
    model = loaded(tmp_path, SENDER)
    with pytest.raises(ModelRejected, match="a part of a step of a process"):
        model.c.send(1)
    with pytest.raises(IndexError, match="there is no channel 2"):
        model.d[2]
