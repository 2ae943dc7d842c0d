#define N 2
mtype = { prepare, yes, no, commit, abort };
chan out[N] = [1] of { mtype };
chan in = [N] of { mtype, byte };
bool committed[N], aborted[N];
active proctype Coordinator() {
  byte k, who, votes;
  mtype vote;
  for (k : 0 .. N - 1) { out[k]!prepare }
  do
  :: k < 1 -> break
  :: k > 0 -> in?vote,who; k--; if :: vote == yes -> votes++ :: else fi
  od;
  for (k : 0 .. N - 1) {
    if
    :: votes == N -> out[k]!commit
    :: else -> out[k]!abort
    fi
  }
}
proctype Participant(byte me) {
  out[me]?prepare;
  if
  :: in!yes,me -> if :: out[me]?commit -> committed[me] = true :: out[me]?abort -> aborted[me] = true fi
  :: in!no,me -> out[me]?abort; aborted[me] = true
  fi
}
init { atomic { run Participant(0); run Participant(1) } }
ltl agreement { [] !(committed[0] && aborted[1]) }
