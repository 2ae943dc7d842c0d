"""What a hand-written stubborn set rule lists: the numbers of commands (native/abi.h, obligations)."""

from __future__ import annotations

from asset.codegen.builder import Builder

PARAMETERS = "ptr noalias %out, i64 %capacity"


class Listing:
    """The commands listed so far: the first `%capacity` of them are at `%out`, and `count` says how many there are."""

    def __init__(self, b: Builder, count: str) -> None:
        self.b = b
        self.count = count

    def add(self, number: str) -> None:
        """Lists the command with that number, of which it is known that there is one."""
        b, room, full = self.b, self.b.name("room"), self.b.name("full")
        at = b.load(self.count)
        b.fork(b.let(f"icmp ult i64 {at}, %capacity"), room, full)
        b.begin(room)
        b.store(b.let(f"trunc i64 {number} to i32"), b.element("%out", at, "i32"), "i32")
        b.begin(full)
        b.store(b.let(f"add i64 {at}, 1"), self.count)

    def add_all(self) -> None:
        """Lists every command, in increasing order."""
        count = self.b.let(f"call i64 @list_all(ptr %out, i64 %capacity, i64 {self.b.load(self.count)})")
        self.b.store(count, self.count)


def write_list_all(nr_commands: int) -> str:
    """@list_all: lists every command after the `%count` ones that are listed; how many there are then."""
    b = Builder()
    total = b.let(f"add i64 %count, {nr_commands}")
    end = b.let(f"call i64 @llvm.umin.i64(i64 {total}, i64 %capacity)")
    at = b.slot()
    b.store("%count", at)
    b.begin("head")
    here = b.load(at)
    b.fork(b.let(f"icmp ult i64 {here}, {end}"), "one", "done")
    b.begin("one")
    number = b.let(f"sub i64 {here}, %count")
    b.store(b.let(f"trunc i64 {number} to i32"), b.element("%out", here, "i32"), "i32")
    b.store(b.let(f"add i64 {here}, 1"), at)
    b.jump("head")
    b.begin("done")
    b.end(f"ret i64 {total}")
    return f"define private i64 @list_all({PARAMETERS}, i64 %count) #0 noinline {{\n{b.text()}\n}}\n"
