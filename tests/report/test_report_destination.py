"""Where reports go, and what is never lost there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from asset.errors import UsageError
from asset.report import destination
from asset.report.destination import Outputs, create


def write(text: str, file: str | Path, flag: str = "--json") -> None:
    Outputs({flag: str(file)}).write(flag, text)


def require_writable(*files: str | Path) -> None:
    Outputs({f"--file{number}": str(file) for number, file in enumerate(files)}).require_writable()


def test_the_file_holds_the_report(tmp_path: Path) -> None:
    write("Größe\n", tmp_path / "report.md")
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == "Größe\n"


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    write("{}\n", "-")
    assert capsys.readouterr().out == "{}\n"


@pytest.mark.parametrize("name", ["", "missing/verdict.json", "a" * 300, "file/verdict.json", "circle"])
def test_a_path_that_cannot_be_written_is_an_error_before_the_search(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(UsageError, match="--file0 takes the name of a file"):
        require_writable(tmp_path / name)


def test_a_path_that_cannot_be_written_is_an_error_after_it_too(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--html takes the name of a file"):
        write("", tmp_path, "--html")


def test_a_new_file_and_an_old_one_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "old.json").touch()
    require_writable(tmp_path / "new.json", tmp_path / "old.json")
    assert not (tmp_path / "new.json").exists()


def test_a_file_that_is_replaced_keeps_its_permissions_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "old.json").touch(mode=0o600)
    write("new", tmp_path / "old.json")
    assert [file.name for file in tmp_path.iterdir()] == ["old.json"]
    assert (tmp_path / "old.json").stat().st_mode & 0o777 == 0o600


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write("text", tmp_path / "link")
    write("text", "/dev/null")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_text() == "text"
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("name", ["report", "link"])
@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_whatever_fails_the_old_file_is_whole(
    tmp_path: Path, name: str, failing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*ignored: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "report").write_text("old")
    (tmp_path / "link").symlink_to("report")
    monkeypatch.setattr(os, failing, full)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write("new", tmp_path / name)
    assert (tmp_path / "report").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


def test_ctrl_c_while_a_file_is_written_leaves_the_old_one_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(number: int) -> None:
        raise KeyboardInterrupt

    (tmp_path / "report").write_text("old")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write("new", tmp_path / "report")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old"]


def test_what_is_created_is_whole_and_overwrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create(tmp_path / "new", b"whole")
    with pytest.raises(FileExistsError):
        create(tmp_path / "new", b"other")

    def no_links(*ignored: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(destination.os, "link", no_links)
    create(tmp_path / "second", b"whole")
    with pytest.raises(FileExistsError):
        create(tmp_path / "second", b"other")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"new": b"whole", "second": b"whole"}


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of one file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text("pass")
    (tmp_path / "soft.html").symlink_to("model.py")
    (tmp_path / "softer.html").symlink_to("soft.html")
    os.link("model.py", "hard.html")
    (tmp_path / "folder").mkdir()
    (tmp_path / "same").symlink_to(".")
    absolute = str(tmp_path / "model.py")
    return ["model.py", "soft.html", "softer.html", "hard.html", "folder/../model.py", "same/model.py", absolute]


def test_a_source_of_the_model_is_refused_whatever_name_leads_to_it(names: list[str]) -> None:
    for name in names:
        with pytest.raises(UsageError, match=r"the model is made from model\.py, which is the same file"):
            Outputs({"--html": name}).require_apart(["other.py", "model.py"])
    Outputs({"--html": "model.html"}).require_apart(["other.py", "model.py"])


def test_two_outputs_are_two_files(names: list[str]) -> None:
    for name in names[1:]:
        with pytest.raises(UsageError, match="--file0 goes to the same file"):
            require_writable("model.py", name)
    for name in ("same/new", "./new", "folder/../new"):
        with pytest.raises(UsageError, match="--file0 goes to the same file"):
            require_writable("new", name)
    require_writable("new", "other", "/dev/null", "/dev/null")


def test_a_file_that_the_shell_writes_is_refused_but_its_name_as_a_stream_is_not(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as stream:
        before = os.dup(1)
        os.dup2(stream.fileno(), 1)
        try:
            with pytest.raises(UsageError, match="standard output goes to the same file"):
                require_writable(tmp_path / "out")
            require_writable("/dev/stdout")
            os.write(1, b"first ")
            write("second", "/dev/stdout")
        finally:
            os.dup2(before, 1)
            os.close(before)
    assert (tmp_path / "out").read_text() == "first second"


def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    write("text", f"/dev/fd/{writer}")
    assert os.read(reader, 10) == b"text"
    with pytest.raises(UsageError, match="--file0 goes to the same file"):
        require_writable(f"/dev/fd/{writer}", f"/dev/fd/{writer}")
    os.close(reader)
    os.close(writer)


def test_a_name_that_is_no_text_does_not_stop_a_report(tmp_path: Path) -> None:
    write("bad\udcff.py", tmp_path / "report")
    assert (tmp_path / "report").read_text() == "bad\\udcff.py"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_takes_no_new_file_is_known_before_the_search(tmp_path: Path) -> None:
    (tmp_path / "report").touch()
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="takes no new file"):
        require_writable(tmp_path / "report")
