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

    Id ids() const { return static_cast<Id>(within_.size() - 1); }
    std::uint64_t edges() const { return targets_.size(); }

    Edge first_edge(Id id) const { return blocks_[id / block_states] + within_[id]; }
    Edge end_edge(Id id) const { return first_edge(id + 1); }
    std::span<const Id> successors(Id id) const { return {&targets_[first_edge(id)], &targets_[end_edge(id)]}; }
    bool terminal(Id id) const { return first_edge(id) == end_edge(id); }

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
};

// Strong components of a part of a graph, one after the other (Pearce's form of Tarjan's algorithm: linear, and one
// number for each state besides the stacks).
class Components {
  public:
    Components(Budget &budget, const Graph &graph, const std::atomic<bool> &interrupted);

    bool visited(Id id) const { return numbers_[id] != 0; }

    // Of states all of whose component was visited: whether it is the same.
    bool together(Id a, Id b) const { return numbers_[a] == numbers_[b]; }

    // Visits, as a span of ids, each component that is reachable from `root` along edges that are `through`, to states
    // that are `among`; after those that are reachable from it, and once in the life of this object.
    template <class Among, class Through, class Visit>
    void search_from(Id root, const Among &among, const Through &through, const Visit &visit) {
        enter(root);
        while (!frames_.empty()) {
            if (descend(among, through))
                continue;
            const std::size_t first = leave();
            if (first == not_complete)
                continue;
            visit(members_.from(first));
            members_.shrink(first);
        }
    }

  private:
    struct Frame {
        Id state;
        std::uint32_t next;   // the number of the successor to be looked at
        std::uint32_t number; // as it was on entry
    };

    static constexpr std::size_t not_complete = ~std::size_t{0};

    // Looks at the successors of the last state entered; true where one was entered.
    template <class Among, class Through> bool descend(const Among &among, const Through &through) {
        Frame &frame = frames_.back();
        const std::span<const Id> successors = graph_.successors(frame.state);
        const Edge first = graph_.first_edge(frame.state);
        for (; frame.next < successors.size(); ++frame.next) {
            const Id next = successors[frame.next];
            if (!through(first + frame.next) || !among(next))
                continue;
            if (!visited(next)) {
                enter(next);
                return true;
            }
            numbers_[frame.state] = std::min(numbers_[frame.state], numbers_[next]);
        }
        return false;
    }

    void enter(Id state);

    // The last state entered is done. Where it completes a component, returns where in members_ that begins.
    std::size_t leave();

    const Graph &graph_;
    const std::atomic<bool> &interrupted_;
    Region region_;
    std::uint32_t *numbers_; // 0; or the smallest known to be reachable, from 1; or the component's, from the top
    std::uint32_t next_number_ = 1;
    std::uint32_t next_component_;
    Sequence<Frame> frames_;
    Sequence<Id> members_; // of components that are not complete
};

} // namespace asset
