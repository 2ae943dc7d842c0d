// An explored state space as an automaton reads it: the letter of every edge, and of staying in every terminal state.
#pragma once

#include "letters.h"

namespace asset {

class ReadGraph {
  public:
    // Reads every edge of the graph, which may be annotated. Throws Interrupted.
    ReadGraph(const Space &space, const Graph &graph, const GraphRequirement &required,
              const AnnotatedGraph *annotated = nullptr);

    const Letters &letters() const { return letters_; }

    // If evaluating an observation is a model error: the first state in which it is, and the finding.
    const std::optional<Lost> &faulty() const { return faulty_; }

    // The states that the search started in.
    std::span<const Id> starts() const { return starts_; }

    std::uint32_t letter(Edge edge) const { return of_edges_[edge]; }

    // Of staying in a state; none if it is not terminal.
    std::optional<std::uint32_t> letter_of_staying(Id state) const {
        return of_ends_[state] ? std::optional(of_ends_[state] - 1) : std::nullopt;
    }

    // What the search for cycles asks (emptiness.h). All of it is known.
    void expand(Id) const {}
    Id states() const { return graph_.ids(); }
    bool expanded(Id) const { return true; }
    std::uint32_t degree(Id state) const {
        const Edge edges = graph_.end_edge(state) - graph_.first_edge(state);
        return edges ? static_cast<std::uint32_t>(edges) : 1;
    }
    Edge edge(Id state, std::uint32_t number) const { return graph_.first_edge(state) + number; }
    Id target(Id state, std::uint32_t number) const {
        return of_ends_[state] ? state : graph_.target(edge(state, number));
    }
    std::uint32_t letter(Id state, std::uint32_t number) const {
        return of_ends_[state] ? of_ends_[state] - 1 : letter(edge(state, number));
    }
    bool terminal(Id state) const { return of_ends_[state]; }

  private:
    void find_starts(const Space &space);
    void read(const Space &space);
    void read(const Space &space, const AnnotatedGraph &annotated);
    void add(Id state, std::uint32_t letter);

    const Graph &graph_;
    Letters letters_;
    Sequence<std::uint32_t> of_edges_;
    Region ends_region_;
    std::uint32_t *of_ends_; // of each terminal state, one more than its letter; else 0
    std::vector<Id> starts_;
    std::optional<Lost> faulty_;
};

} // namespace asset
