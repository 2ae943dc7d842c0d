"""Machine code is kept between runs, and never makes a run fail."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from codegen_programs import const, function, program, put, variable
from codegen_table import NativeTable

from asset.analysis.values.interval import declared_ranges
from asset.analysis.values.reached_ranges import initial_ranges
from asset.codegen import cache, compile
from asset.codegen.description import description
from asset.ir.program import Program, Style
from asset.ir.types import IntType
from asset.span import Span


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def setting(value: int) -> Program:
    return program([variable("x", IntType(0, 7))], [function(0, 0, put(0, const(value)))], [(0, [], Style.GUARDED)])


def fires(tested: Program) -> tuple[bool, int]:
    """Whether the code came from the cache, and what x is after the command."""
    model = compile(tested)
    return model.from_cache, NativeTable(model).fire(tested.initial, 0)[1][0]


def test_a_program_is_compiled_once() -> None:
    assert fires(setting(3)) == (False, 3)
    assert fires(setting(3)) == (True, 3)
    assert fires(setting(4)) == (False, 4)


def described(tested: Program) -> bytes:
    return description(tested, declared_ranges(tested))


def test_names_and_places_do_not_matter_but_everything_else_does() -> None:
    one = setting(3)
    elsewhere = replace(one.functions[0], name="other", span=Span("elsewhere.py", 7))
    assert described(replace(one, name="other", functions=(elsewhere,))) == described(one)
    wider = replace(one.variables[0], type=IntType(0, 8))
    assert described(replace(one, variables=(wider,))) != described(one)
    assert described(replace(one, families=(replace(one.families[0], style=Style.FIRE),))) != described(one)


def test_another_initial_state_with_values_in_the_same_range_needs_no_other_code() -> None:
    one = setting(3)
    begun = [replace(one, variables=(replace(one.variables[0], initial=(value,)),)) for value in (0, 5)]
    assert description(begun[0], initial_ranges(begun[0])) != description(begun[1], initial_ranges(begun[1]))
    both = replace(begun[0], further_initial=((5,),)), replace(begun[1], further_initial=((2,), (0,)))
    assert description(both[0], initial_ranges(both[0])) == description(both[1], initial_ranges(both[1]))


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_a_damaged_entry_is_compiled_again(folder: Path, damage: bytes | None) -> None:
    fires(setting(3))
    (entry,) = folder.iterdir()
    entry.write_bytes(entry.read_bytes()[:-1] if damage is None else damage)
    assert fires(setting(3)) == (False, 3)
    assert fires(setting(3)) == (True, 3)


def test_what_happens_to_get_the_same_file_is_not_mistaken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "crc32", lambda data: 1)
    monkeypatch.setattr(cache, "adler32", lambda data: 1)
    assert fires(setting(3)) == (False, 3)
    assert fires(setting(4)) == (False, 4)
    assert fires(setting(4)) == (True, 4)


def test_a_directory_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path / "file"))
    assert fires(setting(3)) == (False, 3)
    assert fires(setting(3)) == (False, 3)


def test_the_entries_used_longest_ago_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 2500)
    for age, key in enumerate((b"old", b"older")):
        cache.keep(key, bytes(1000))
        os.utime(cache.entry(key), (1000 - age, 1000 - age))
    assert cache.fetch(b"older") == bytes(1000)  # now it is the one used last
    cache.keep(b"new", bytes(1000))
    assert set(folder.iterdir()) == {cache.entry(b"new"), cache.entry(b"older")}


def test_the_cache_is_where_the_user_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSET_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache.directory() == Path("/somewhere/asset")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.directory() == Path.home() / ".cache" / "asset"


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_code_that_others_can_write_is_not_run(folder: Path, mode: int) -> None:
    fires(setting(3))
    (entry,) = folder.iterdir()
    entry.chmod(mode)
    assert fires(setting(3)) == (False, 3)
    assert fires(setting(3)) == (True, 3)


def test_code_of_another_user_is_not_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fires(setting(3))
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert "others can write" in cache.distrusted()
    assert fires(setting(3)) == (False, 3)


@pytest.mark.parametrize("opened", ["cache", "."])
def test_nothing_is_taken_from_a_place_that_others_can_write(folder: Path, opened: str) -> None:
    fires(setting(3))
    place = folder if opened == "cache" else folder.parent
    mode = place.stat().st_mode
    place.chmod(0o777)
    try:
        assert fires(setting(3)) == (False, 3)
        assert cache.distrusted() == f"others can write to {place}"
    finally:
        place.chmod(mode)


def test_a_pipe_in_place_of_an_entry_is_removed(folder: Path) -> None:
    fires(setting(3))
    (entry,) = folder.iterdir()
    entry.unlink()
    os.mkfifo(entry)
    assert fires(setting(3)) == (False, 3)
    assert fires(setting(3)) == (True, 3)


def test_a_link_in_place_of_an_entry_is_not_followed(folder: Path, tmp_path: Path) -> None:
    fires(setting(3))
    (entry,) = folder.iterdir()
    entry.rename(tmp_path / "elsewhere")
    entry.symlink_to(tmp_path / "elsewhere")
    assert fires(setting(3)) == (False, 3)
    assert not entry.is_symlink() and fires(setting(3)) == (True, 3)


def test_what_a_writer_that_was_ended_left_is_removed(folder: Path) -> None:
    fires(setting(3))
    old, new = folder / "00.code.1.1", folder / "00.code.2.2"
    for file in (old, new):
        file.write_bytes(b"half")
    os.utime(old, (0, 0))
    fires(setting(4))
    assert not old.exists() and new.exists()


def test_entries_are_for_their_user_only(folder: Path) -> None:
    fires(setting(3))
    (entry,) = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, entry.stat().st_mode & 0o777) == (0o700, 0o600)
