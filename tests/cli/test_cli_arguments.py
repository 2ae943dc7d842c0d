"""The words of the command line."""

from __future__ import annotations

import pytest

from asset.cli.arguments import CheckCommand, RunCommand, StepCommand, parse
from asset.cli.main import main
from asset.cli.sizes import parse_size
from asset.errors import UsageError
from asset.languages import ModelSpec


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4096", 4096),
        ("64k", 64 << 10),
        ("512M", 512 << 20),
        ("4G", 4 << 30),
        ("1.5GiB", 3 << 29),
        ("2 TiB", 2 << 40),
        ("10MB", 10_000_000),
        (".5K", 512),
        ("100B", 100),
    ],
)
def test_a_size_is_read_as_people_write_it(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "G", "4Q", "-1G", "0", "1e9", "4GG", "5iB", "1,5G", "nan"])
def test_what_is_not_a_size_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="not an amount of memory"):
        parse_size(text)


def check(line: str) -> CheckCommand:
    command = parse(["check", *line.split()])
    assert isinstance(command, CheckCommand)
    return command


def test_every_option_reaches_the_check() -> None:
    line = "ring.py:Ring -p n=8 -p name=a=b --stubborn hand --symmetry hand --engine native --only safety,deadlock"
    line += " --max-states 1_000 --max-memory 1K --threads 2 --json out.json --quiet --debug"
    command = check(line)
    options = command.options
    assert command.model == ModelSpec("ring.py:Ring", {"n": "8", "name": "a=b"})
    assert (options.stubborn, options.symmetry, options.engine) == ("hand", "hand", "native")
    assert options.only == frozenset({"safety", "deadlock"})
    assert (options.max_states, options.max_memory, options.threads) == (1000, 1024, 2)
    assert (command.files, command.quiet) == ({"json": "out.json"}, True)


def test_without_options_everything_is_checked_without_limits() -> None:
    options = check("ring.py").options
    assert options.only is None
    assert options.max_states is None
    assert options.max_memory is None
    assert options.threads == 1
    assert options.may_choose and options.audit is None
    assert not (options.termination or options.dl_not_may or options.dl_not_must)


def test_what_is_asked_of_progress_reaches_the_check() -> None:
    options = check("ring.py --termination --dl-not-may --dl-not-must --only recurrence,termination").options
    assert (options.termination, options.dl_not_may, options.dl_not_must) == (True, True, True)
    assert options.only == frozenset({"recurrence", "termination"})


@pytest.mark.parametrize(("words", "depth"), [("--audit", 3), ("--audit 5", 5), ("--audit --quiet", 3)])
def test_an_audit_looks_three_steps_ahead_unless_told(words: str, depth: int) -> None:
    assert check(f"ring.py --stubborn hand {words}").options.audit == depth


def test_a_run_has_forty_typical_steps_unless_told() -> None:
    model = ModelSpec("ring.py", {"n": "3"})
    assert parse(["run", "ring.py", "-p", "n=3"]) == RunCommand(model, 40, None)
    assert parse(["run", "ring.py", "-p", "n=3", "--steps", "7", "--random", "-1"]) == RunCommand(model, 7, -1)


def test_stepping_takes_a_model_and_a_seed() -> None:
    assert parse(["step", "ring.py", "--random", "5"]) == StepCommand(ModelSpec("ring.py", {}), 5)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("chekc ring.py", "there is no command 'chekc'"),
        ("check", "required: MODEL"),
        ("check ring.py other.py", "one word too many: other.py"),
        ("check ring.py --quie", "asset check has no option --quie\n    did you mean --quiet?"),
        ("check ring.py -p n", "-p n: not of the form NAME=VALUE"),
        ("check ring.py -p =3", "-p =3: not of the form NAME=VALUE"),
        ("check ring.py -p n=2 -p n=3", "-p n=3: n already has the value 2"),
        ("check ring.py -D N=3", "-D is for .model and .pml files only"),
        ("check ring.py --patience 3", "--patience is for .model files only"),
        ("check ring.model -p n=3", "-p is for .py and .asm files only"),
        ("check ring.model -D 3=N", "-D 3=N: not of the form NAME[=VALUE]"),
        ("check ring.model -D N=3 -D N=4", "-D N=4: N already has the value 3"),
        ("check .", ". is a folder"),
        ("check notes.txt", "the endings that are known: .py, .model"),
        ("run ring", "the endings that are known: .py, .model"),
        ("check ring.model --patience 0", "'0' is not a number of seconds"),
        ("check ring.model --format xml", "invalid choice: 'xml'"),
        ("check ring.py --stubborn off --analysis-time 5", "stubborn=auto as well"),
        ("check ring.py --stubborn auto --analysis-time 0", "not a positive number"),
        ("check ring.py --stubborn auto --audit", "stubborn=hand or symmetry=hand"),
        ("check ring.py --symmetry auto --audit", "stubborn=hand or symmetry=hand"),
        ("check ring.py --stubborn on", "invalid choice: 'on'"),
        ("check ring.py --engine fast", "invalid choice: 'fast'"),
        ("check ring.py --only safety,liveness", "liveness"),
        ("check ring.py --only safety,", "not a list of kinds"),
        ("check ring.py --max-states 0", "'0' is not a positive number"),
        ("check ring.py --max-states many", "'many' is not a positive number"),
        ("check ring.py --max-memory lots", "'lots' is not an amount of memory"),
        ("check ring.py --threads -2", "'-2' is not a positive number"),
        ("check ring.py --audit 0", "'0' is not a positive number"),
        ("run ring.py --steps 0", "'0' is not a positive number"),
        ("run ring.py --random x", "invalid int value: 'x'"),
        ("run ring.py --stubborn hand", "asset run has no option --stubborn"),
    ],
)
def test_a_mistake_is_a_usage_error_that_names_it(line: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(line.split())
    assert message in str(caught.value)


def test_a_mistake_comes_with_a_remedy() -> None:
    with pytest.raises(UsageError) as caught:
        parse(["check", "ring.py", "--max-memory", "4Q"])
    assert caught.value.diagnostics[0].remedy == "write it like 512M, 4G or 1.5GiB"


@pytest.mark.parametrize("command", ["check", "run", "step"])
def test_a_mistake_points_to_the_help_of_its_command(command: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse([command])
    assert caught.value.diagnostics[0].remedy == f"`asset {command} --help` shows what there is"


def test_definitions_and_reductions_reach_a_model_file() -> None:
    chosen = check("ring.model -D size_par=8 -D chk_state --stubborn hand --patience 2.5 --format asset").model
    assert chosen.parameters == {"size_par": "8", "chk_state": "1", "stubborn": "1"}
    assert chosen.patience == 2.5


@pytest.mark.parametrize(
    ("word", "remedy"),
    [
        ("chek", "did you mean `asset check`?"),
        ("room.py", "did you mean `asset check room.py`?"),
        ("xyz", "there are:"),
    ],
)
def test_a_command_that_does_not_exist_is_told_from_one_that_does(
    word: str, remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word]) == 2
    said = capsys.readouterr().err
    assert f"there is no command '{word}'" in said and remedy in said
