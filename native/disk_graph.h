// The graph of a search in files: what is asked of it is decided as in memory, on pages of files (paging.h).
//
// States are numbered in the order of their levels. Where an edge leads is found as whether a state is known was: all
// edges are sorted by the states that they lead to, and merged with all states, in order; then they are sorted by their
// sources again.
#pragma once

#include "frontier.h"
#include "graph.h"
#include "idle.h"
#include "sorting.h"

namespace asset {

// All states of a search, as sorted runs.
struct Explored {
    const asset_model &model;
    const Options &options;
    const std::atomic<bool> &interrupted;
    Successors &successors;
    const std::vector<Run> &levels;
};

class DiskGraph {
  public:
    // Memory is for sorting, and files for what is made. Throws SpillFailed, std::bad_alloc and Interrupted.
    DiskGraph(Budget &memory, Budget &files, const Explored &explored);

    const Space &space() const { return space_; }
    const Graph &graph() const { return graph_; }
    const Levels &levels() const { return levels_; }

  private:
    void read_states(const std::vector<Run> &levels);
    std::vector<Run> numbered_states() const;
    std::vector<Run> edges_by_targets() const;
    std::vector<Run> linked(const std::vector<Run> &edges) const;
    void build(const std::vector<Run> &links);
    void heed_interrupt() const;

    Budget &memory_;
    const std::size_t words_;
    Arena arena_;
    Unfolded unfolded_;
    const Space space_;
    Levels levels_;
    Graph graph_;
};

} // namespace asset
