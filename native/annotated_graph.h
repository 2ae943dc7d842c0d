// A quotient by symmetries, annotated with what these make of a formula that they do not keep: a graph of its own,
// whose runs are those of the model as far as the formula can tell them apart. asset.engine.product.Renamings is the
// specification.
#pragma once

#include <algorithm>

#include "renamings.h"

namespace asset {

// A vertex is a representative with a meaning of the formula. Those of a state follow each other, and states are in
// their order. An edge stands for that of the quotient that has the same number among those of the state.
class AnnotatedGraph {
  public:
    // Throws Interrupted.
    AnnotatedGraph(const Space &space, const Graph &quotient, const GraphRequirement &required,
                   const Followed &followed);

    const Graph &graph() const { return graph_; }
    std::span<const Id> starts() const { return starts_; }

    // The vertices of a state.
    Range of(Id state) const { return {first_[state], first_[state + 1] - first_[state]}; }

    // Whether a predicate holds of what the vertex stands for: 1, 0, or minus a fault code.
    std::int32_t holds(Id vertex, std::uint32_t predicate) const;

    // The command of the model that one of the representative stands for.
    std::uint32_t fired(Id vertex, std::uint32_t command) const {
        return followed_.commands[std::size_t{meanings_[vertex]} * space_.model.nr_commands + command];
    }

    // Of vertices in which something is a model error, the first that a run comes to.
    Lost first_of(const std::unordered_map<Id, Finding> &faulty) const;

    // Makes edges of the quotient of those of the graph.
    void restore(Lost &lost) const;

  private:
    void number(const VertexSet<false> &vertices);
    void add_edges(const Renamings &renamings);
    Id vertex(Id state, unsigned meaning) const;

    const Space &space_;
    const Graph &quotient_;
    const GraphRequirement &required_;
    const Followed &followed_;
    Graph graph_;
    Region first_region_;
    Id *first_;                       // by state: its first vertex
    Sequence<Id> states_;             // by vertex
    Sequence<std::uint8_t> meanings_; // by vertex
    std::vector<Id> starts_;
};

} // namespace asset
