// An explored state space as an automaton reads it.
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

    // What the search for accepting runs asks (emptiness.h).
    static constexpr bool complete = true;
    void expand(Id) const {}
    void prefetch(Id) const {}
    bool expanded(Id) const { return true; }
    Id states() const { return graph_.ids(); }
    bool terminal(Id state) const { return graph_.terminal(state); }
    ReadEdges edges(Id state) const {
        const Edge first = graph_.first_edge(state);
        if (terminal(state))
            return {first, 1, &(itself_ = state), &of_states_[state], false};
        const std::span<const Id> targets = graph_.successors(state);
        const std::uint32_t *letters = letters_.differ() ? &of_edges_[first] : &of_states_[state];
        return {first, static_cast<std::uint32_t>(targets.size()), targets.data(), letters, letters_.differ()};
    }

    // The letter of an edge, after each was given its own, also if those of a state do not differ.
    std::uint32_t letter(Edge edge) const { return of_edges_[edge]; }
    void spread();

    // Of staying in a state; none if it is not terminal.
    std::optional<std::uint32_t> letter_of_staying(Id state) const {
        return terminal(state) ? std::optional(of_states_[state]) : std::nullopt;
    }

  private:
    void find_starts(const Space &space);
    void read(const Space &space);
    void read(const Space &space, const AnnotatedGraph &annotated);
    void add(Id state, std::uint32_t letter);

    const Graph &graph_;
    Letters letters_;
    Sequence<std::uint32_t> of_edges_; // if these differ
    Region states_region_;
    std::uint32_t *of_states_; // else, and of terminal states
    mutable Id itself_ = 0;    // what the edge of a terminal state leads to
    std::vector<Id> starts_;
    std::optional<Lost> faulty_;
};

} // namespace asset
