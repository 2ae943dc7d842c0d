/* The two-phase commit protocol of models/two_phase_commit.py (class TwoPhaseCommit): the same states, the same edges.
 * -DN=3 sets the number of participants.
 *
 * What a participant does is where its process is; `prepared`, `committed` and `aborted` count those that are there,
 * and so add no state. Every other place than those named end to stand still at is a deadlock to SPIN.
 */
#ifndef N
#define N 3
#endif

#define ASKING 0
#define COMMIT 1
#define ABORT 2

byte decision;
byte prepared;
byte committed;
byte aborted;

active proctype coordinator()
{
    if
    :: d_step { prepared == N -> decision = COMMIT }
    :: d_step { decision = ABORT }
    fi;
end_decided:
    false
}

active [N] proctype participant()
{
    if
    :: d_step { prepared++ };
       if
       :: d_step { decision == COMMIT -> prepared--; committed++; assert(aborted == 0) };
end_committed:
          false
       :: d_step { decision == ABORT -> prepared--; aborted++; assert(committed == 0) }
       fi
    :: d_step { aborted++; assert(committed == 0) }
    fi;
end_aborted:
    false
}
