"""AsmetaL's library for timers, abstracted from time: a timer may have expired in any step, or not."""

from __future__ import annotations

from asset.frontends.asm import tree as t

MODULES = frozenset({"TimeLibrary", "TimeLibrarySimple", "Timer"})

TEXT = """\
module TimeLibrary
signature:
    abstract domain Timer
    enum domain TimerUnit = {NANOSEC | MILLISEC | SEC | MIN | HOUR}
    monitored expired: Timer -> Boolean
    out start: Timer -> Integer
    out duration: Timer -> Integer
    out timerUnit: Timer -> TimerUnit
    static initStart: Timer -> Integer
    static currentTime: Timer -> Integer
definitions:
    function initStart($t in Timer) = 0
    function currentTime($t in Timer) = 0
    rule r_reset_timer($t in Timer) = skip
    rule r_set_duration($t in Timer, $length in Integer) = skip
    rule r_set_timer_unit($t in Timer, $unit in TimerUnit) = timerUnit($t) := $unit
"""

CLOCKS = ("mCurrTimeNanosecs", "mCurrTimeMillisecs", "mCurrTimeSecs", "mCurrTimeMins", "mCurrTimeHours")
"""Monitored functions of the standard library."""


def clocks(machine: t.Machine) -> tuple[t.Function, ...]:
    """The clocks that the machine reads and does not declare itself."""
    parts = (*machine.definitions, *machine.rules, *machine.specifications, *machine.initials)
    named = {node.name: node.span for node in t.walk(*parts) if isinstance(node, t.Name)}
    declared = {each.name for each in machine.functions}
    read = [(name, named[name]) for name in CLOCKS if name in named and name not in declared]
    return tuple(t.Function(span, name, "monitored", (), t.TypeName(span, "Integer")) for name, span in read)


NOTE = "a timer expires in any step or in none: the time that passes is not looked at"
