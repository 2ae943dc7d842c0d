// Which states are sure of progress: a least fixed point, found in linear time.
#pragma once

#include "graph.h"

namespace asset {

// A state is settled if it is good to begin with, or if this many of its successors are settled.
enum class Settles {
    by_some, // may progress and termination: a good state is reachable
    by_all,  // must progress: every run reaches a good state. A state without successors is not settled by them.
};

// Afterwards `settled`, in which the good states are set, has every state that is settled.
void settle(Bits &settled, Settles rule, Budget &budget, const Graph &graph, const std::atomic<bool> &interrupted);

} // namespace asset
