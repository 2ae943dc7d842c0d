"""Where reports go."""

from __future__ import annotations

from pathlib import Path

import pytest

from asset.errors import UsageError
from asset.report.destination import require_writable, write


def test_the_file_holds_the_report(tmp_path: Path) -> None:
    write("Größe\n", str(tmp_path / "report.md"), "--markdown")
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == "Größe\n"


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    write("{}\n", "-", "--json")
    assert capsys.readouterr().out == "{}\n"


@pytest.mark.parametrize("name", ["", "missing/verdict.json"])
def test_a_path_that_cannot_be_written_is_an_error_before_the_search(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="--json takes the name of a file"):
        require_writable(str(tmp_path / name), "--json")


def test_a_path_that_cannot_be_written_is_an_error_after_it_too(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--html takes the name of a file"):
        write("", str(tmp_path), "--html")


def test_a_new_file_and_an_old_one_can_be_written(tmp_path: Path) -> None:
    require_writable(str(tmp_path / "new.json"), "--json")
    (tmp_path / "old.json").touch()
    require_writable(str(tmp_path / "old.json"), "--json")
    assert not (tmp_path / "new.json").exists()


def test_a_file_that_is_replaced_keeps_its_permissions_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "old.json").touch(mode=0o600)
    write("new", str(tmp_path / "old.json"), "--json")
    assert [file.name for file in tmp_path.iterdir()] == ["old.json"]
    assert (tmp_path / "old.json").stat().st_mode & 0o777 == 0o600


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write("text", str(tmp_path / "link"), "--json")
    write("text", "/dev/null", "--json")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_text() == "text"
    assert not Path("/dev/null").is_file()
