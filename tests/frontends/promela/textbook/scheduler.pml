/* Ready queue with random and sorted receives. */
chan ready = [4] of { byte, byte };
byte ran;
active proctype Boot() { ready!!3,1; ready!!1,2; ready!!2,3 }
active proctype Cpu() {
  byte prio, id;
  end: do
  :: ready?prio,id -> ran = id
  :: ready??[1, 2] -> ready??1,2; ran = 9
  :: len(ready) > 2 -> ready?<prio,id>; ran = prio
  od
}
