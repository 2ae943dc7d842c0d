// Short runs that never make progress: from a state to a cycle, or to a state without successors.
#pragma once

#include <optional>
#include <vector>

#include "graph.h"

namespace asset {

// Edges one after the other. The last leads back to where edge number `cycle` begins, unless that is none: then to a
// terminal state.
struct Lasso {
    std::vector<Edge> edges{};
    std::optional<std::size_t> cycle{};
};

// A breadth-first search over the states of a graph in up to two copies, `layer` 0 and 1, that its user drives.
class Breadth {
  public:
    struct Node {
        Id state;
        bool layer = false;
    };

    Breadth(Budget &budget, const Graph &graph, unsigned layers);

    // Forgets everything; the search begins in layer 0 of a state.
    void begin(Id state);

    // The edge leads from a node that was met, of layer `from`, to layer `to`. False where its target there was met
    // before.
    bool meet(Edge edge, bool from, bool to);

    // Nodes in the order in which they were met.
    std::size_t size() const { return met_.size(); }
    Node node(std::size_t position) const { return met_[position]; }

    // The edges of a shortest path to a node that was met.
    std::vector<Edge> path_to(Node last) const;

  private:
    std::uint64_t &via(Node node) { return via_[node.layer * std::size_t{graph_.ids()} + node.state]; }
    std::uint64_t via(Node node) const { return via_[node.layer * std::size_t{graph_.ids()} + node.state]; }

    static constexpr std::uint64_t beginning = ~std::uint64_t{0};

    const Graph &graph_;
    Region region_;
    std::uint64_t *via_; // 0, or for a node that was met: 1 plus the layer it was met from plus twice the edge
    Sequence<Node> met_;
};

// The shortest lassos that stay among the states that are not in `settled`, each of which has a successor there or is
// terminal.
class LassoSearch {
  public:
    LassoSearch(Budget &budget, const Graph &graph, const Bits &settled, const std::atomic<bool> &interrupted);

    // A shortest one; or, where finding that would take too long, a shortest of those tried. It depends on nothing but
    // the graph.
    Lasso from(Id start);

  private:
    void reach_all(Id start);
    void find_cyclic(Id start);
    bool shorten(Id state, std::size_t distance);
    void close(Id state, Id last, Edge back);
    void heed_interrupt() const;

    const Graph &graph_;
    const Bits &settled_;
    const std::atomic<bool> &interrupted_;
    const std::uint64_t affordable_; // edges to look at in search of cycles
    Components components_;
    Bits cyclic_; // states on a cycle
    Breadth reached_;
    Breadth cycle_;
    std::vector<std::size_t> nearer_; // how many states are nearer than 0, 1, … steps
    Lasso best_;
    std::size_t length_ = 0; // of the best; the largest number where there is none
    std::uint64_t looked_at_ = 0;
};

} // namespace asset
