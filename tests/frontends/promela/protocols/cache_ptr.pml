mtype = { get, put, inv, val };
chan home = [2] of { mtype, byte };
chan node[2] = [1] of { mtype };
active proctype Dir() {
  byte owner = 9, who; mtype m;
end: do
  :: home?get, who ->
     if :: owner < 2 && owner != who -> node[owner]!inv; home?put, _ :: else fi;
     owner = who; node[who]!val
  od
}
active [2] proctype Node() {
  byte me = _pid - 1; bit have;
  do
  :: !have -> home!get, me; node[me]?val; have = 1
  :: have -> node[me]?inv; have = 0; home!put, me
  od
}
