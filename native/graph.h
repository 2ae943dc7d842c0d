// The state space as a graph: for each state the ids of its successors, in the order of firing. Four bytes for each
// edge, and little more than four for each state.
#pragma once

#include <atomic>
#include <span>

#include "arena.h"
#include "sequence.h"

namespace asset {

struct Interrupted {};

using Edge = std::uint64_t; // its position among all edges, which are in the order of their sources

class Graph {
  public:
    explicit Graph(Budget &budget) : blocks_(budget), within_(budget), targets_(budget) {}

    // To build it: room for some states and their edges, whose targets are written there; then, for each state in the
    // order of their ids, how many are its own (states that are skipped have none). `finish` comes last, with an id
    // that is larger than all of them.
    void make_room(std::size_t states, std::size_t edges);
    Id *targets() { return targets_.end(); }
    void add(Id id, std::uint32_t degree) {
        begin(id);
        targets_.extend(degree);
    }
    void finish(Id ids) { begin(ids); }

    // All of it is in these files from now on.
    void move_to(Budget &files) {
        blocks_.move_to(files);
        within_.move_to(files);
        targets_.move_to(files);
        in_files_ = true;
    }
    bool in_files() const { return in_files_; }

    Id ids() const { return static_cast<Id>(within_.size() - 1); }
    std::uint64_t edges() const { return targets_.size(); }

    Edge first_edge(Id id) const { return blocks_[id / block_states] + within_[id]; }
    Edge end_edge(Id id) const { return first_edge(id + 1); }
    std::span<const Id> successors(Id id) const { return {&targets_[first_edge(id)], &targets_[end_edge(id)]}; }
    bool terminal(Id id) const { return first_edge(id) == end_edge(id); }

    // Bring where the state's edges are closer, and then these.
    void prefetch(Id id) const { __builtin_prefetch(&within_[id]); }
    void prefetch_edges(Id id) const { __builtin_prefetch(&targets_[first_edge(id)]); }

    Id target(Edge edge) const { return targets_[edge]; }
    Id source(Edge edge) const;

  private:
    static constexpr Id block_states = 64;

    // States up to this one begin, those before it that have not begun at the same edge.
    void begin(Id id) {
        while (within_.size() <= id) {
            if (within_.size() % block_states == 0)
                blocks_.push_back(targets_.size());
            within_.push_back(static_cast<std::uint32_t>(targets_.size() - blocks_.back()));
        }
    }

    Sequence<Edge> blocks_;          // the first edge of each block of states
    Sequence<std::uint32_t> within_; // the first edge of each state, counted from that of its block
    Sequence<Id> targets_;
    bool in_files_ = false;
};

} // namespace asset
