mtype = { open, data, shut, ok };
chan door = [2] of { mtype, chan };
active [2] proctype User() {
  chan me = [1] of { mtype, chan };
  chan peer;
  do
  :: door!open, me; me?ok, peer; peer!data, me; me?ok(_); peer!shut, me; me?ok(_)
  od
}
active [2] proctype Agent() {
  chan mine = [1] of { mtype, chan };
  chan who;
end: do
  :: door?open, who -> who!ok, mine;
     do
     :: mine?data, who -> who!ok, mine
     :: mine?shut, who -> who!ok, mine; break
     od
  od
}
