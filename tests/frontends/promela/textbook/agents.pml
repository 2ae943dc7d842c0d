/* A server makes an agent for each request. */
mtype = { request, reply, deny };
chan desk = [0] of { mtype, chan };
byte served;
proctype Agent(chan answer) {
  if
  :: answer!reply -> served++
  :: answer!deny
  fi
}
init {
  chan who;
end:
  do
  :: desk?request(who) -> run Agent(who)
  od
}
active [2] proctype Client() {
  chan mine = [0] of { mtype };
  byte tries;
again:
  desk!request(mine);
  if
  :: mine?reply -> skip
  :: mine?deny -> tries++; if :: tries < 2 -> goto again :: else fi
  fi
}
