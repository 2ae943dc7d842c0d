mtype = { req, rsp };
chan up = [1] of { mtype }; chan down = [1] of { mtype };
active proctype U() { byte i; do :: i < 2 -> up!req; down?rsp; i++ :: else -> break od }
active proctype S() { end: do :: up?req -> down!rsp od }
trace { end0: up!req; down!rsp; goto end0 }
