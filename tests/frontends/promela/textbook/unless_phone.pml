mtype = { call, hangup, ring };
chan line = [1] of { mtype };
byte talking;
active proctype Phone() {
idle:
  line?call;
  {
    talking = 1;
    do
    :: talking < 3 -> talking++
    :: talking > 1 -> talking--
    od
  } unless {
    line?hangup -> talking = 0
  }
  goto idle
}
active proctype User() {
  do
  :: line!call; line!hangup
  od
}
