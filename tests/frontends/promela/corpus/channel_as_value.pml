chan service = [1] of { chan, byte };
byte sum;
active [2] proctype Client() {
  chan me = [1] of { byte };
  byte v;
  service!me,_pid; me?v; sum = sum + v
}
active proctype Server() {
  chan who; byte n;
  end: do :: service?who,n -> who!n + 1 od
}
