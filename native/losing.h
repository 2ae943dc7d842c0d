// The first requirement on the graph of all states that is violated, with the run that shows it.
#pragma once

#include "path.h"
#include "progress.h"

namespace asset {

// The first requirement on the graph that is violated, from number `next` on, with a state but without a run.
std::optional<Lost> lost_alone(const Space &space, const Graph &graph, std::size_t &next);

// The same with a run. Throws std::bad_alloc if there is no memory to find it.
std::optional<Lost> lost_with_run(const Space &space, const Graph &graph, const Levels &levels, std::size_t &next);

// The same with a run, if there is memory to find it.
std::optional<Lost> lost_perhaps_with_run(const Space &space, const Graph &graph, const Levels &levels,
                                          std::size_t &next);

} // namespace asset
