// An explored state space as an automaton reads it.
#pragma once

#include "letters.h"
#include "prospects.h"
#include "simd.h"

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
    void expand(Id) const {}
    ASSET_INLINE void prefetch(Id state) const {
        graph_.prefetch(state);
        __builtin_prefetch(&of_states_[state]);
    }
    ASSET_INLINE void prefetch_edges(Id state) const { graph_.prefetch_edges(state); }
    bool expanded(Id) const { return true; }
    Id states() const { return graph_.ids(); }
    bool is_state(Id id) const { return !terminal(id) || of_states_[id] != no_letter; }
    bool terminal(Id state) const { return graph_.terminal(state); }
    ReadEdges edges(Id state) const {
        const Edge first = graph_.first_edge(state);
        if (terminal(state))
            return {first, 1, &(itself_ = state), &of_states_[state], false};
        const std::span<const Id> targets = graph_.successors(state);
        const std::uint32_t *letters = letters_.differ() ? &of_edges_[first] : &of_states_[state];
        return {first, static_cast<std::uint32_t>(targets.size()), targets.data(), letters, letters_.differ()};
    }

    // What can be expected in the vertex, by its letter if these do not differ, else by its mode alone.
    Prospect prospect(Id state, std::uint32_t mode) const {
        if (!expected_.empty()) {
            const Prospect expected = expected_[of_states_[state] * letters_.modes() + mode];
            return expected == Prospect::here && !goes_on(state, mode) ? Prospect::elsewhere : expected;
        }
        return letters_.promising(mode) ? Prospect::here : Prospect::elsewhere;
    }
    bool hopeless() const { return hopeless_; }

    // The letter of an edge, after each was given its own, also if those of a state do not differ.
    std::uint32_t letter(Edge edge) const { return of_edges_[edge]; }
    void spread(const Space &space);

    // Of staying in a state; none if it is not terminal.
    std::optional<std::uint32_t> letter_of_staying(Id state) const {
        return terminal(state) && is_state(state) ? std::optional(of_states_[state]) : std::nullopt;
    }

  private:
    // What ids have that are no states: with threads some are skipped.
    static constexpr std::uint32_t no_letter = ~std::uint32_t{0};

    // A set of modes, if there are so few.
    using ModesByte = std::uint8_t;
    static constexpr std::uint32_t most_in_byte = 8;

    void find_starts(const Space &space);
    void read(const Space &space);
    void read(const Space &space, const AnnotatedGraph &annotated);
    void add(Id state, std::uint32_t letter);
    void find_prospects(const Space &space);
    std::vector<std::uint64_t> followers(const Space &space) const;
    std::vector<Arrow> arrows(const Space &space) const;
    void trim(const Space &space);
    std::uint64_t trim_once(const Space &space, std::span<const ModesByte> after);
    bool goes_on(Id state, std::uint32_t mode) const { return !going_on_ || going_on_[state] >> mode & 1; }

    const Graph &graph_;
    Letters letters_;
    Sequence<std::uint32_t> of_edges_; // if these differ
    Region states_region_;
    std::uint32_t *of_states_;       // else, and of terminal states
    mutable Id itself_ = 0;          // what the edge of a terminal state leads to
    std::vector<Prospect> expected_; // of each letter and mode
    bool hopeless_ = false;          // if it is nowhere `here`
    Region going_on_region_;
    ModesByte *going_on_ = nullptr; // of each state, the modes in which a cycle may be; all, if there is no such array
    std::vector<Id> starts_;
    std::optional<Lost> faulty_;
};

} // namespace asset
