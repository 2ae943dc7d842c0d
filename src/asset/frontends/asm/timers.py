"""AsmetaL's library for timers, abstracted from time: a timer may have expired in any step, or not."""

from __future__ import annotations

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
    monitored mCurrTimeNanosecs: Integer
    monitored mCurrTimeMillisecs: Integer
    monitored mCurrTimeSecs: Integer
    monitored mCurrTimeMins: Integer
    monitored mCurrTimeHours: Integer
definitions:
    function initStart($t in Timer) = 0
    function currentTime($t in Timer) = 0
    rule r_reset_timer($t in Timer) = skip
    rule r_set_duration($t in Timer, $length in Integer) = skip
    rule r_set_timer_unit($t in Timer, $unit in TimerUnit) = timerUnit($t) := $unit
"""

NOTE = "a timer expires in any step or in none: the time that passes is not looked at"
